// @ts-check
// What is wrong with the cube, in the service's own sentences, and the nearest legal cubes.

import { checkCube, inColoursOf, openCube } from "../actions.js";
import { button, h, sentence } from "../dom.js";
import { colorName, placeName } from "../cube/names.js";
import { store } from "../store.js";

/** @param {HTMLElement} place @param {HTMLElement} message the line for everything that is no problem */
export function mountProblem(place, message) {
  store.subscribe((state, changed) => {
    if (changed.has("message")) message.textContent = state.message;
    if (!changed.has("problem")) return;
    place.replaceChildren(...(state.problem ? sentences(state.problem) : []));
    place.hidden = !state.problem;
    place.scrollTop = 0;
  });
  message.textContent = store.get().message;
}

/** Sentences that are shown at once; the others unfold. */
const FIRST = 3;

/** @param {import("../types").ProblemFields} problem @returns {HTMLElement[]} */
function sentences(problem) {
  /** @type {Map<string, number[]>} */
  const said = new Map((problem.violations ?? []).map(({ message, stickers }) => [message, stickers]));
  if (problem.code !== "impossible_cube" || !said.size) {
    const again = problem.status >= 429 || problem.code === "no_solution_within_limits";
    return [sentence(problem.detail), ...(again ? [button("Try again", checkCube)] : [])];
  }
  const list = [...said].map(([text, stickers]) => {
    const item = sentence(text);
    const { marks } = store.get();
    item.addEventListener("pointerenter", () => stickers.length && store.set({ marks: stickers }));
    item.addEventListener("pointerleave", () => store.get().problem === problem && store.set({ marks }));
    return item;
  });
  const rest = list.slice(FIRST);
  if (rest.length < 2) return [...repairs(problem), ...list];
  return [
    ...repairs(problem),
    ...list.slice(0, FIRST),
    h("details", {}, h("summary", {}, `${rest.length} more`), ...rest),
  ];
}

/** Stickers that must change in a repair that is worth a button. */
const NEAR = 4;

/** @param {import("../types").ProblemFields} problem @returns {HTMLElement[]} */
function repairs({ repairs: found }) {
  const { stickers, palette } = store.get();
  if (!found || found.distance > NEAR || stickers.includes("?")) return [];
  const buttons = found.repairs.map(({ facelets, changed }) => {
    const fixed = inColoursOf(facelets, stickers);
    const show = () => store.set({ preview: fixed, doubtful: changed });
    const hide = () => store.get().preview !== null && store.set({ preview: null, doubtful: [] });
    const use = () => openCube(fixed, { preview: null, painting: false });
    const names = changed.map(
      (index) => `${placeName(index)}: ${colorName(palette[/** @type {import("../types").Colour} */ (fixed[index])])}`,
    );
    return button(`Correct ${names.join(", ")}`, use, {
      onmouseenter: show,
      onmouseleave: hide,
      onfocus: show,
      onblur: hide,
    });
  });
  const cubes = found.total === "1" ? "One possible cube differs" : `${found.total} possible cubes differ`;
  const number = found.distance === 1 ? "one sticker" : `${found.distance} stickers`;
  const part = Number(found.total) > buttons.length ? ` ${buttons.length} of ${found.total} are shown.` : "";
  return [h("p", {}, `${cubes} in ${number}.${part}`), h("div", { class: "row" }, ...buttons)];
}
