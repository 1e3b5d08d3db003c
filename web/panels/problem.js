// @ts-check
// What is wrong with the cube, in the service's own sentences, and the nearest legal cubes.

import { inColoursOf, openCube } from "../actions.js";
import { button, h } from "../dom.js";
import { placeName } from "../cube/names.js";
import { store } from "../store.js";

/** @param {HTMLElement} place */
export function mountProblem(place) {
  place.setAttribute("role", "status");
  store.subscribe((state, changed) => {
    if (!changed.has("problem") && !changed.has("message") && !changed.has("mode")) return;
    place.replaceChildren(...(state.problem ? sentences(state.problem) : [h("p", {}, state.message)]));
    place.hidden = !state.problem && !state.message;
    place.classList.toggle("bad", Boolean(state.problem));
  });
  place.hidden = true;
}

/** @param {import("../types").ProblemFields} problem */
function sentences(problem) {
  const { stickers } = store.get();
  const unpainted = stickers.includes("?");
  if (problem.code === "unknown_stickers") return [h("p", {}, problem.detail)];
  const texts = [...new Set((problem.violations ?? []).map((violation) => violation.message))];
  const list =
    texts.length > 1
      ? [h("ul", {}, ...texts.map((text) => h("li", {}, text)))]
      : [h("p", {}, texts[0] ?? problem.detail)];
  const found = problem.repairs;
  if (!found || unpainted || found.distance > 8) return list;
  const repairs = found.repairs.map(({ facelets, changed }) => {
    const fixed = inColoursOf(facelets, stickers);
    const preview = (/** @type {boolean} */ on) => () => store.set({ preview: on ? fixed : null, doubtful: on ? changed : [] });
    return button(`Correct ${changed.map(placeName).join(", ")}`, () => openCube(fixed, { doubtful: changed, preview: null }), {
      onmouseenter: preview(true),
      onmouseleave: preview(false),
      onfocus: preview(true),
      onblur: preview(false),
    });
  });
  const number = found.distance === 1 ? "one sticker" : `${found.distance} stickers`;
  const only = repairs.length === 1 ? `One cube differs in only ${number}:` : `${found.total} cubes differ in only ${number}:`;
  return [...list, h("p", {}, only), h("div", { class: "row" }, ...repairs)];
}
