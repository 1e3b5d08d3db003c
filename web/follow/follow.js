// @ts-check
/** The solution below the cube: found step by step by the service, and followed move by move. */
import { setProblem } from "../actions.js";
import { h, sentence } from "../dom.js";
import { holding } from "../panels/holding.js";
import { controls } from "./controls.js";
import { course, find } from "./stream.js";
import { describe, hint, isRotation, numberOfMoves } from "./words.js";
import { follow as phrases } from "../sentences.js";

/** @typedef {import("../types").State} State */
/** @typedef {import("../types").Solution} Solution */

/** @type {[value: State["reveal"], name: string][]} */
const REVEAL = [
  ["all", phrases.showAllMoves],
  ["next", phrases.showOnlyTheNextMove],
  ["length", phrases.showOnlyTheLength],
];

/**
 * @param {HTMLElement} element
 * @param {{store: import("../types").Store, api: import("../types").Api, onAnother: () => void, onLost: () => void}} parts
 * `onAnother` is called for another cube, `onLost` if the cube of the user looks different
 */
export function mountFollow(element, { store, api, onAnother, onLost }) {
  const hold = h("p", { class: "hold" });
  const instruction = h("strong", {});
  const direction = h("span", {});
  const length = h("strong", { class: "mono" });
  const bound = h("span", {});
  const searching = h("p", { class: "searching quiet" }, phrases.searching);
  const found = h("ol", { class: "quiet" });
  const log = h("details", { class: "log" }, h("summary", {}, phrases.searchLog), found);
  const note = h("div", { class: "note", popover: "auto", role: "alert" });
  const list = h("ol", { class: "moves mono" });
  const scrub = h("input", {
    type: "range",
    min: "0",
    max: "0",
    step: "1",
    value: "0",
    "aria-label": phrases.movesMade,
  });
  const steps = controls(store, onAnother);
  const reveal = h(
    "select",
    { "aria-label": phrases.whatToShow },
    ...REVEAL.map(([value, name]) => h("option", { value }, name)),
  );
  const proof = h("button", { type: "button" });
  const lost = h("button", { type: "button" }, phrases.looksDifferent);
  const spoken = h("p", { class: "hidden", role: "status", "aria-live": "polite" });
  element.classList.add("follow");
  element.append(
    h("div", { class: "lead" }, hold, h("p", { class: "instruction" }, instruction, direction), searching),
    h("div", { class: "row" }, steps.element, reveal),
    list,
    scrub,
    // It comes and goes, so it stands where no button moves.
    h("div", { class: "lengths" }, length, bound, proof, lost, log),
    spoken,
    note,
  );

  scrub.addEventListener("input", () => store.set({ step: Number(scrub.value), playing: false }));
  reveal.addEventListener("change", () => {
    const all = /** @type {State["reveal"]} */ (reveal.value);
    store.set({ reveal: all, playing: false, ...(all === "length" ? { step: 0 } : {}) });
  });
  lost.addEventListener("click", onLost);
  proof.addEventListener("click", () => (search ? stop() : void solve("proof")));
  list.addEventListener("click", (event) => {
    const at = /** @type {Element} */ (event.target).closest("button")?.dataset.step;
    if (at !== undefined) store.set({ step: Number(at), playing: false });
  });

  /** The search that is under way. @type {AbortController|null} */
  let search = null;
  /** @type {string[]} */
  let lines = [];

  /** @param {import("./stream.js").Kind} kind */
  async function solve(kind) {
    stop();
    const mine = (search = new AbortController());
    const { stickers, solution } = store.get();
    lines = [];
    const known = kind === "first" ? null : solution;
    store.set({ solving: true, step: 0, playing: false, ...(known ? {} : { solution: null, problem: null }) });
    draw(store.get());
    const problem = await find(api, stickers, {
      kind,
      known,
      signal: mine.signal,
      onRun(run) {
        if (search !== mine) return;
        lines = course(run);
        store.set({ solution: run.solution });
      },
    });
    if (search !== mine) return;
    search = null;
    if (problem) report(problem, known !== null);
    store.set({ solving: false });
    draw(store.get());
  }

  /** @param {any} error @param {boolean} beside whether there is a solution, so that the cube has no problem */
  function report(error, beside) {
    if (!error.fields) throw error;
    const { code, detail } = error.fields;
    if (beside) {
      note.replaceChildren(sentence(detail));
      note.showPopover();
    } else if (code !== "tables_not_ready" && code !== "offline") setProblem(error);
  }

  /** Ends the search; what it found stays. */
  function stop() {
    search?.abort();
    search = null;
    if (store.get().solving) store.set({ solving: false });
  }

  /** The moves in `list`, to see whether it must be built again. */
  let built = "";

  /** @param {State} state */
  function drawMoves({ solution, step, reveal: shown }) {
    const moves = shown === "length" ? [] : (solution?.moves ?? []).slice(0, shown === "next" ? step + 1 : undefined);
    if (moves.join() !== built) {
      built = moves.join();
      const button = (/** @type {string} */ move, /** @type {number} */ at) =>
        h(
          "button",
          { type: "button", "data-step": String(at), "aria-label": phrases.moveLabel(move, at + 1, describe(move)) },
          move,
        );
      list.replaceChildren(...moves.map((move, at) => h("li", {}, button(move, at))));
    }
    for (const [at, { firstElementChild: button }] of [...list.children].entries()) {
      button?.classList.toggle("made", at < step);
      if (at === step) button?.setAttribute("aria-current", "step");
      else button?.removeAttribute("aria-current");
    }
  }

  /** @param {State} state */
  function draw(state) {
    const { solution, step, solving } = state;
    const next = state.reveal === "length" ? undefined : solution?.moves[step];
    instruction.textContent = next ? describe(next) : status(state);
    direction.textContent = next ? hint(next) : "";
    const rotates = solution !== null && isPlayed(solution);
    const action = solution?.actions?.[step];
    if (action !== undefined) hold.textContent = phrases.action(action);
    else hold.textContent = next && !rotates ? holding(state.stickers) : "";
    length.textContent = solution ? (step ? phrases.made(step, lengthOf(solution)) : lengthOf(solution)) : "";
    // A robot also moves the whole cube, which no bound counts.
    const counts = solution?.length && !rotates;
    bound.textContent = counts
      ? solution.proven
        ? phrases.provenShortest
        : phrases.atLeastNeeded(solution.lowerBound)
      : "";
    bound.title = counts ? phrases.boundTitle : "";
    // The move may be replaced until the first step, which ends the search. The line keeps its place, so that nothing moves.
    searching.classList.toggle("over", !solving || !next);
    log.hidden = !lines.length;
    found.replaceChildren(...lines.map((line) => h("li", {}, line)));
    element.classList.toggle("idle", !solution && !solving);
    drawMoves(state);
    scrub.max = String(solution?.length ?? 0);
    scrub.value = String(step);
    scrub.setAttribute("aria-valuetext", phrases.made(step, scrub.max));
    scrub.disabled = !solution?.length || state.reveal === "length";
    reveal.value = state.reveal;
    const missing = search || solution?.proven ? "" : lacking(state);
    proof.hidden = !search && (!state.prover || rotates);
    proof.textContent = search ? phrases.stopTheSearch : missing || phrases.proveItIsShortest;
    proof.title = missing ? phrases.proofNeedsTable : "";
    proof.disabled = !search && (!solution?.length || solution.proven || missing !== "");
    lost.hidden = !solution || !step || rotates;
    steps.draw(state);
    if (!state.playing) spoken.textContent = speech(state);
  }

  store.subscribe((state, changed) => {
    // The buttons that end it are not in the other modes.
    if (changed.has("mode") && state.playing) return store.set({ playing: false });
    if (changed.has("wanted")) return void solve("first");
    if (changed.has("longer")) return void solve("longer");
    if (search && (changed.has("stickers") || state.playing || (changed.has("step") && state.step > 0))) stop();
    if (changed.has("stickers")) lines = [];
    draw(store.get());
  });
  draw(store.get());
  if (store.get().wanted) void solve("first");
}

/** Why the service cannot prove anything now, in the place of the button's name. @param {State} state */
function lacking({ prover }) {
  if (prover?.status === "failed") return phrases.tableForProofsFailed;
  const percent = Math.floor((prover?.progress?.permille ?? 0) / 10);
  return prover?.status === "starting" ? phrases.tableForProofs(percent) : "";
}

/** Whether a solution is the schedule of a robot, which also rotates the whole cube. @param {Solution} solution */
const isPlayed = ({ moves, actions }) => actions !== undefined || moves.some(isRotation);

/** The length of a solution in words. @param {Solution} solution */
const lengthOf = (solution) => (isPlayed(solution) ? phrases.turns : numberOfMoves)(solution.length);

/** The line in place of an instruction. @param {State} state */
function status({ solution, step, solving, reveal }) {
  if (!solution) return solving ? phrases.lookingForASolution : "";
  if (step === solution.length) return phrases.theCubeIsSolved;
  return reveal === "length" ? phrases.theMovesAreHidden : "";
}

/** What a screen reader says. @param {State} state */
function speech(state) {
  const { solution, step, reveal } = state;
  if (!solution) return "";
  const { moves, length } = solution;
  if (reveal === "length" || step === length) return `${lengthOf(solution)}. ${status(state)}.`;
  return phrases.speech(step + 1, length, describe(moves[step]), hint(moves[step]));
}
