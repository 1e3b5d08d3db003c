// @ts-check
// The steps of fewest-moves solvers: oriented edges, domino reduction, half-turn reduction, the finish.

import { api, Problem } from "../api.js";
import { parseMoves } from "../cube/cube.js";
import { button, h, sentence } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { store } from "../store.js";
import { steps as phrases } from "../sentences.js";

/** The steps, and the same with moves on the inverse cube, as texts for `POST /steps`. */
const STEPS = "eo[niss=none] > dr[niss=none] > htr[niss=none] > finish";
const BOTH_SIDES = "eo[niss=always] > dr[niss=always] > htr[niss=always] > finish";
const TIME_MS = 5000;

/** @typedef {{goal: string, axis: string, normal: string, inverse: string, length: number, total: number, state: {name: string}}} Step */

/** The moves of a step as fewest-moves solvers write them: those on the inverse cube in parentheses. @param {Step} step */
export const written = ({ normal, inverse }) => [normal, inverse && `(${inverse})`].filter(Boolean).join(" ");

/** @param {HTMLElement} place a panel that is open */
export function mountSteps(place) {
  const both = h("input", { type: "checkbox", id: "both-sides" });
  const find = button(phrases.find, () => void search());
  const told = h("p", { class: "quiet", role: "status" });
  const list = h("ol", { class: "scrambles" });
  const whole = h("div", { class: "row" });
  place.append(
    h("p", { class: "quiet" }, phrases.about),
    h("div", { class: "row" }, h("label", { htmlFor: "both-sides" }, both, ` ${phrases.onTheInverseToo}`), find),
    told,
    list,
    whole,
  );

  function clear() {
    for (const part of [told, list, whole]) part.replaceChildren();
  }

  async function search() {
    const { stickers: facelets } = store.get();
    clear();
    find.disabled = true;
    told.textContent = phrases.searching;
    const body = { facelets, steps: both.checked ? BOTH_SIDES : STEPS };
    const answer = await api
      .post("/steps", { ...body, time_limit_ms: TIME_MS })
      // The operator may allow less time. Then the service's own default applies.
      .catch((problem) => (problem.code === "option_out_of_range" ? api.post("/steps", body) : Promise.reject(problem)))
      .catch((problem) => problem);
    find.disabled = !store.get().solution?.length;
    if (store.get().stickers !== facelets) return;
    clear();
    if (answer instanceof Problem) told.replaceChildren(...sentence(answer.fields.detail).childNodes);
    else if (answer.solutions.length) draw(answer.solutions[0]);
    else told.textContent = phrases.foundNothing;
  }

  /** @param {{steps: Step[], solution: string}} found */
  function draw({ steps, solution }) {
    const moves = parseMoves(solution);
    // Without moves on the inverse cube, the moves of the steps follow each other in the solution.
    const follows = steps.every(({ inverse }) => !inverse) && steps.at(-1)?.total === moves.length;
    list.replaceChildren(
      ...steps.map((step) => {
        const { goal, axis, total, state } = step;
        const name = h("strong", {}, phrases.goals[/** @type {keyof typeof phrases.goals} */ (goal)] ?? goal);
        const text = written(step) || phrases.nothingToDo;
        const shown = follows
          ? button(text, () => show(moves, total), { class: "mono" })
          : h("span", { class: "mono" }, text);
        const reached = h("span", { class: "quiet" }, phrases.reached(state.name, numberOfMoves(total)));
        return h("li", {}, name, axis && ` ${axis.toUpperCase()}`, " ", shown, " ", reached);
      }),
    );
    whole.append(button(phrases.followAll(numberOfMoves(moves.length)), () => show(moves, 0)));
  }

  /** Shows the solution after `step` moves. @param {string[]} moves @param {number} step */
  function show(moves, step) {
    const { lowerBound = 0 } = store.get().solution ?? {};
    const { length } = moves;
    store.set({
      solution: { moves, length, lowerBound, proven: length === lowerBound, elapsedUs: 0 },
      step,
      playing: false,
    });
  }

  store.subscribe(({ solution }, changed) => {
    if (changed.has("stickers")) clear();
    find.disabled = !solution?.length;
  });
  find.disabled = !store.get().solution?.length;
}
