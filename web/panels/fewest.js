// @ts-check
// Tools for the fewest moves: a longer search, several solutions, and a check of a solution of one's own.

import { isSolved } from "../actions.js";
import { api, Problem } from "../api.js";
import { applyMoves, parseMoves } from "../cube/cube.js";
import { button, h, sentence } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { store } from "../store.js";
import { turnsOf } from "./turns.js";

/** Time to list solutions. */
const LIST_MS = 5000;
const NUMBERS = [3, 10, 30];

const PROOF =
  "This service has no table for proofs, so it can prove only solutions of at most ten moves. To get one, start it with " +
  "`superflip serve --optimal-table s`. It then builds a table of 41 MB.";

/** @param {HTMLElement} place a panel that is open */
export function mountFewest(place) {
  const longer = button("Search longer", search);
  const told = h("span", { class: "quiet", role: "status" });
  const proof = h("div", { class: "quiet" }, sentence(PROOF));

  const number = h("select", { id: "solutions" }, ...NUMBERS.map((value) => h("option", { value }, String(value))));
  const list = button("List", () => void several());
  const listed = h("p", { class: "quiet", role: "status" });
  const items = h("ol", { class: "scrambles" });

  const own = h("textarea", { id: "own", rows: 2, spellcheck: false, autocapitalize: "off", placeholder: "R U R' F2" });
  const verdict = h("p", { role: "status" });
  const follow = button("Follow it", () => show(mine), { hidden: true });
  /** @type {string[]} */
  let mine = [];
  const form = h(
    "form",
    { onsubmit: check },
    h("label", { htmlFor: "own" }, "Your solution"),
    own,
    h("div", { class: "row" }, h("button", {}, "Check my solution"), follow),
    verdict,
  );
  place.append(
    h("div", { class: "row" }, longer, told),
    proof,
    h("div", { class: "row" }, h("label", { htmlFor: "solutions" }, "Number of solutions"), number, list),
    listed,
    items,
    form,
  );

  /** The length before the longer search, while there is one. @type {number | null} */
  let before = null;
  function search() {
    const { solution, longer: count } = store.get();
    if (!solution) return;
    before = solution.length;
    told.textContent = "Searching for 30 s.";
    store.set({ longer: count + 1 });
  }

  /** Says what a longer search has found. */
  function searched() {
    const { solution, solving } = store.get();
    if (before === null || solving) return;
    if (solution && solution.length < before)
      told.textContent = `Found a solution of ${numberOfMoves(solution.length)}.`;
    else told.textContent = solution?.proven ? "Nothing is shorter." : "Found nothing shorter.";
    before = null;
  }

  /** Shows another solution of the same cube. @param {string[]} moves @param {number} [lowerBound] */
  function show(moves, lowerBound = store.get().solution?.lowerBound ?? 0) {
    const { length } = moves;
    store.set({
      solution: { moves, length, lowerBound, proven: length === lowerBound, elapsedUs: 0 },
      step: 0,
      playing: false,
    });
  }

  async function several() {
    const { stickers: facelets } = store.get();
    list.disabled = true;
    listed.textContent = "Searching for at most 5 s.";
    items.replaceChildren();
    const body = { facelets, solutions: Number(number.value), target_length: 0 };
    const answer = await api
      .post("/solve", { ...body, time_limit_ms: LIST_MS })
      // The operator may allow less time. Then the service's own default applies.
      .catch((problem) => (problem.code === "option_out_of_range" ? api.post("/solve", body) : Promise.reject(problem)))
      .catch((problem) => problem);
    list.disabled = false;
    if (store.get().stickers !== facelets) return;
    if (answer instanceof Problem) {
      listed.replaceChildren(...sentence(answer.fields.detail).childNodes);
      return;
    }
    const { solutions, lower_bound: bound } = answer;
    listed.textContent =
      solutions.length < body.solutions
        ? `Found ${solutions.length} of ${body.solutions}. At least ${numberOfMoves(bound)} are needed.`
        : `At least ${numberOfMoves(bound)} are needed.`;
    items.replaceChildren(
      ...solutions.map((/** @type {{moves: string[]}} */ { moves }) =>
        h(
          "li",
          {},
          button(`${moves.join(" ")} (${moves.length})`, () => show(moves, bound)),
        ),
      ),
    );
  }

  /** @param {Event} event */
  function check(event) {
    event.preventDefault();
    follow.hidden = true;
    verdict.textContent = verdictOf(own.value);
  }

  /** @param {string} text */
  function verdictOf(text) {
    const { stickers, solution } = store.get();
    try {
      mine = parseMoves(text.replace(/\/\/.*$/gm, "").replace(/[()]/g, " "));
    } catch (error) {
      return `${/** @type {Error} */ (error).message}.`;
    }
    const at = [...mine.keys(), mine.length].find((made) => isSolved(applyMoves(stickers, mine.slice(0, made))));
    if (at === undefined) return "It does not solve this cube.";
    if (turnsOf(mine.slice(at)))
      return `The cube is solved after ${numberOfMoves(at)} already. The rest is not needed.`;
    const turns = turnsOf(mine);
    // Lengths on the page are numbers of face moves.
    follow.hidden = turns !== mine.length || turns === 0;
    if (!solution) return `It solves this cube in ${numberOfMoves(turns)}.`;
    const more = turns - solution.length;
    if (more === 0) return `It solves this cube in ${numberOfMoves(turns)}, as many as the solution shown.`;
    if (more > 0) return `It solves this cube in ${numberOfMoves(turns)}, ${more} more than the solution shown.`;
    return `It solves this cube in ${numberOfMoves(turns)}, ${-more} fewer than the solution shown.`;
  }

  function draw() {
    const { solution, solving, prover } = store.get();
    longer.disabled = !solution?.length || solution.proven || solving;
    list.disabled = !solution?.length;
    proof.hidden = prover !== null;
    searched();
  }
  store.subscribe((_, changed) => {
    if (changed.has("stickers")) {
      for (const line of [told, listed, verdict]) line.textContent = "";
      items.replaceChildren();
      follow.hidden = true;
      before = null;
    }
    draw();
  });
  draw();
}
