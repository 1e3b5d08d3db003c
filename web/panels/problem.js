// @ts-check
// What is wrong with the cube, in the service's own sentences, and the nearest legal cubes.

import { inColoursOf, openCube } from "../actions.js";
import { button, h, sentence } from "../dom.js";
import { placeName } from "../cube/names.js";
import { store } from "../store.js";

/** @param {HTMLElement} place */
export function mountProblem(place) {
  place.setAttribute("role", "status");
  store.subscribe((state, changed) => {
    if (!changed.has("problem") && !changed.has("message") && !changed.has("mode")) return;
    place.replaceChildren(...(state.problem ? sentences(state.problem) : [h("p", {}, state.message)]));
    place.hidden = !state.problem && !state.message;
    place.classList.toggle("bad", Boolean(state.problem) && state.problem?.code !== "unknown_stickers");
  });
  place.hidden = true;
}

/** Sentences that are shown at once; the others unfold. */
const FIRST = 3;

/** @param {import("../types").ProblemFields} problem @returns {HTMLElement[]} */
function sentences(problem) {
  const texts =
    problem.code === "impossible_cube" && problem.violations
      ? problem.violations.map(({ message }) => message)
      : [problem.detail];
  const list = [...new Set(texts)].map(sentence);
  const rest = list.slice(FIRST + 1).length
    ? [h("details", {}, h("summary", {}, `${list.length - FIRST} more`), ...list.slice(FIRST))]
    : list.slice(FIRST);
  return [...repairs(problem), ...list.slice(0, FIRST), ...rest];
}

/** Stickers that must change in a repair that is worth a button. */
const NEAR = 8;

/** @param {import("../types").ProblemFields} problem @returns {HTMLElement[]} */
function repairs({ repairs: found }) {
  const { stickers } = store.get();
  if (!found || found.distance > NEAR || stickers.includes("?")) return [];
  const buttons = found.repairs.map(({ facelets, changed }) => {
    const fixed = inColoursOf(facelets, stickers);
    const show = () => store.set({ preview: fixed, doubtful: changed });
    const hide = () => store.get().preview !== null && store.set({ preview: null, doubtful: [] });
    const use = () => openCube(fixed, { preview: null });
    return button(`Correct ${changed.map(placeName).join(", ")}`, use, {
      onmouseenter: show,
      onmouseleave: hide,
      onfocus: show,
      onblur: hide,
    });
  });
  const cubes = buttons.length === 1 ? "One possible cube differs" : `${found.total} possible cubes differ`;
  const number = found.distance === 1 ? "one sticker" : `${found.distance} stickers`;
  return [h("p", {}, `${cubes} in ${number}.`), h("div", { class: "row" }, ...buttons)];
}
