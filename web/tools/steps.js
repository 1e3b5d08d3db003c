// @ts-check
// The steps of fewest-moves solvers: oriented edges, domino reduction, half-turn reduction, the finish.

import { api, Problem } from "../api.js";
import { parseMoves } from "../cube/cube.js";
import { button, h, sentence } from "../dom.js";
import { duration, numberOfMoves } from "../follow/words.js";
import { store } from "../store.js";
import { steps as phrases, stream as course } from "../sentences.js";

/** The steps of the whole solution, in order. */
const STEPS = ["eo", "dr", "htr", "finish"];
/** How many ways to a step before the finish are listed. */
const WAYS = 10;
const TIME_MS = 5000;

/**
 * The steps down to one of them, as a text for `POST /steps`.
 *
 * @param {string} last @param {boolean} both whether moves on the inverse cube may be made @param {boolean} oneEnding
 */
function chain(last, both, oneEnding) {
  const names = STEPS.slice(0, STEPS.indexOf(last) + 1);
  const options = (/** @type {string} */ name) =>
    [
      name !== "finish" && `niss=${both ? "always" : "none"}`,
      name !== "finish" && name === last && oneEnding && "one_ending=true",
    ].filter(Boolean);
  return names.map((name) => (options(name).length ? `${name}[${options(name).join(";")}]` : name)).join(" > ");
}

/** @typedef {{goal: string, axis: string, normal: string, inverse: string, length: number, total: number, state: {name: string}}} Step */

/** @typedef {{step: number, goal: string, searched_to: number | null}} Unreached */

/** The name of a goal on the page. @param {string} goal */
const named = (goal) => phrases.goals[/** @type {keyof typeof phrases.goals} */ (goal)] ?? goal;

/** The moves of a step as fewest-moves solvers write them: those on the inverse cube in parentheses. @param {Step} step */
export const written = ({ normal, inverse }) => [normal, inverse && `(${inverse})`].filter(Boolean).join(" ");

/** @param {HTMLElement} place a panel that is open */
export function mountSteps(place) {
  const both = h("input", { type: "checkbox", id: "both-sides" });
  const oneEnding = h("input", { type: "checkbox", id: "one-ending", checked: true });
  const last = h(
    "select",
    { id: "last-step", onchange: draw },
    ...[...STEPS].reverse().map((goal) => h("option", { value: goal }, phrases.downTo(named(goal), WAYS))),
  );
  const find = button(phrases.find, () => (search ? stop() : void start()));
  const endings = h("div", { class: "row" }, h("label", { htmlFor: "one-ending" }, oneEnding, ` ${phrases.oneEnding}`));
  const told = h("p", { class: "quiet", role: "status" });
  const list = h("ol", { class: "scrambles" });
  const whole = h("div", { class: "row" });
  place.append(
    h("p", { class: "quiet" }, phrases.about),
    h("div", { class: "row" }, h("label", { htmlFor: "last-step" }, `${phrases.look} `), last),
    h("div", { class: "row" }, h("label", { htmlFor: "both-sides" }, both, ` ${phrases.onTheInverseToo}`)),
    endings,
    h("div", { class: "row" }, find),
    told,
    list,
    whole,
  );

  function clear() {
    found = [];
    for (const part of [told, list, whole]) part.replaceChildren();
  }

  /** Says which step found nothing, and down to which length. @param {Unreached | undefined} unreached */
  function nothingIn(unreached) {
    if (!unreached) return phrases.foundNothing;
    const { step, goal, searched_to: length } = unreached;
    const searched = length === null ? "" : phrases.searchedTo(numberOfMoves(length));
    return [phrases.foundNothingIn(step, named(goal)), searched, phrases.tryAgain].filter(Boolean).join(" ");
  }

  /** The search that is under way. @type {AbortController | null} */
  let search = null;

  /** Lengths so far, and when each was found. @type {string[]} */
  let found = [];

  function stop() {
    search?.abort();
    search = null;
    tell();
    draw();
  }

  /** Says what was found, and whether the search goes on. */
  function tell() {
    const lengths = found.length ? `${found.join(", ")}.` : "";
    told.textContent = search ? `${lengths} ${phrases.searching}`.trim() : lengths;
  }

  /** Searches, and shows each better solution as soon as it is found. */
  async function start() {
    const { stickers: facelets } = store.get();
    const isWhole = last.value === "finish";
    clear();
    const mine = (search = new AbortController());
    tell();
    draw();
    /** @param {string} event @param {any} data */
    function onEvent(event, data) {
      if (search !== mine) return;
      if (event !== "solution") {
        stop();
        if (event === "problem") refuse(data);
        else if (!data.solutions.length) told.textContent = nothingIn(data.unreached);
        else if (isWhole) show(data.solutions[0]);
        else showWays(data.solutions);
        return;
      }
      if (!isWhole) return;
      found.push(course.after(found.length ? data.length : numberOfMoves(data.length), duration(data.elapsed_us)));
      tell();
      show(data);
    }
    const steps = chain(last.value, both.checked, oneEnding.checked);
    const body = { facelets, steps, solutions: isWhole ? 1 : WAYS };
    const options = { onEvent, signal: mine.signal };
    await api
      .stream("/steps/stream", { ...body, time_limit_ms: TIME_MS }, options)
      // The operator may allow less time. Then the service's own default applies.
      .catch((problem) =>
        problem.code === "option_out_of_range" ? api.stream("/steps/stream", body, options) : Promise.reject(problem),
      )
      .catch((problem) => {
        if (search !== mine) return;
        stop();
        if (!(problem instanceof Problem)) throw problem;
        refuse(problem.fields);
      });
    if (search === mine) stop();
  }

  /** @param {import("../types").ProblemFields} problem */
  function refuse({ detail }) {
    told.replaceChildren(...sentence(detail).childNodes);
  }

  /** Lists the steps of a solution. @param {{steps: Step[], solution: string}} found */
  function show({ steps, solution }) {
    const moves = parseMoves(solution);
    // Without moves on the inverse cube, the moves of the steps follow each other in the solution.
    const follows = steps.every(({ inverse }) => !inverse) && steps.at(-1)?.total === moves.length;
    list.replaceChildren(
      ...steps.map((step) => {
        const { goal, axis, total, state } = step;
        const name = h("strong", {}, named(goal));
        const text = written(step) || phrases.nothingToDo;
        const shown = follows
          ? button(text, () => follow(moves, total), { class: "mono" })
          : h("span", { class: "mono" }, text);
        const reached = h("span", { class: "quiet" }, phrases.reached(state.name, numberOfMoves(total)));
        return h("li", {}, name, axis && ` ${axis.toUpperCase()}`, " ", shown, " ", reached);
      }),
    );
    whole.replaceChildren(button(phrases.followAll(numberOfMoves(moves.length)), () => follow(moves, 0)));
  }

  /** Lists ways to a step before the finish. @param {{steps: Step[], length: number}[]} ways */
  function showWays(ways) {
    told.textContent = phrases.ways(ways.length);
    list.replaceChildren(
      ...ways.map(({ steps, length }) => {
        const text = steps.map((step) => written(step) || phrases.nothingToDo).join(" / ");
        const reached = `${steps.at(-1)?.state.name}, ${numberOfMoves(length)}`;
        return h("li", {}, h("span", { class: "mono" }, text), " ", h("span", { class: "quiet" }, reached));
      }),
    );
  }

  /** Shows the solution after `step` moves. @param {string[]} moves @param {number} step */
  function follow(moves, step) {
    const { lowerBound = 0 } = store.get().solution ?? {};
    const { length } = moves;
    store.set({
      solution: { moves, length, lowerBound, proven: length === lowerBound, elapsedUs: 0 },
      step,
      playing: false,
    });
  }

  function draw() {
    find.textContent = search ? phrases.stop : phrases.find;
    find.disabled = !search && !store.get().solution?.length;
    endings.hidden = last.value === "finish";
  }
  store.subscribe((_, changed) => {
    if (changed.has("stickers")) {
      clear();
      stop();
    }
    draw();
  });
  draw();
}
