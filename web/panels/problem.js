// @ts-check
// What is wrong with the cube: the fact, the nearest legal cubes as buttons, and the service's own sentences.

import { CENTRES, NEAR, checkCube, inColoursOf, openCube } from "../actions.js";
import { button, h, isTouch, sentence } from "../dom.js";
import { factOf, listed } from "../cube/faults.js";
import { colorName, placeName } from "../cube/names.js";
import { remedyOf } from "../cube/remedy.js";
import { COLOURS, store } from "../store.js";
import { pointed, previewButton } from "./preview.js";
import { problem as phrases, words } from "../sentences.js";

/** @typedef {import("../types").ProblemFields} ProblemFields */
/** @typedef {import("../types").Violation} Violation */

/** @param {HTMLElement} place @param {HTMLElement} message the line for everything that is no problem */
export function mountProblem(place, message) {
  store.subscribe((state, changed) => {
    if (state.message !== message.textContent) message.textContent = state.message;
    if (!changed.has("problem")) return;
    place.replaceChildren(...(state.problem ? sentences(state.problem) : []));
    place.hidden = !state.problem;
    place.scrollTop = 0;
  });
  message.textContent = store.get().message;
}

/** Sentences that are shown at once where no button repairs the cube; the others unfold. */
const FIRST = 3;

/** @param {ProblemFields} problem @returns {HTMLElement[]} */
function sentences(problem) {
  /** @type {Map<string, number[]>} */
  const said = new Map((problem.violations ?? []).map(({ message, stickers }) => [message, stickers]));
  if (problem.code !== "impossible_cube" || !said.size) {
    const again = problem.status >= 429 || problem.code === "no_solution_within_limits";
    return [sentence(problem.detail), ...(again ? [button(phrases.tryAgain, checkCube)] : [])];
  }
  const list = [...said].map(([text, stickers]) => {
    const item = sentence(text);
    const { marks } = store.get();
    const show = () => stickers.length && store.set({ marks: stickers });
    const hide = () => store.get().problem === problem && store.set({ marks });
    return Object.assign(item, pointed(show, hide));
  });
  const { stickers, palette } = store.get();
  const fact = factOf(problem.violations ?? [], stickers, palette);
  const repairs = repairsOf(problem);
  const lead = fact ? [h("p", {}, h("strong", {}, fact))] : [];
  const question = questionOf(problem.violations ?? [], [...lead, ...repairs, folded(phrases.why, list)]);
  if (question) return [...lead, question];
  if (repairs.length) return [...lead, ...repairs, folded(phrases.why, list)];
  const rest = list.slice(FIRST);
  if (rest.length < 2) return [...lead, ...list];
  return [...lead, ...list.slice(0, FIRST), folded(phrases.more(rest.length), rest)];
}

/** Sentences that unfold, and come into view when they do. @param {string} name @param {HTMLElement[]} list */
function folded(name, list) {
  const details = h("details", {}, h("summary", {}, name), ...list);
  details.addEventListener("toggle", () => details.open && details.scrollIntoView({ block: "nearest" }));
  return details;
}

/** Where the faces are. @type {Record<string, string>} */
const PLACES = {
  U: words.top,
  R: words.right,
  F: words.front,
  D: words.bottom,
  L: words.left,
  B: words.back,
};

/**
 * A cube with one twisted corner or one flipped edge may have right stickers: then a piece must be turned by hand. So the user is asked.
 *
 * @param {Violation[]} violations @param {HTMLElement[]} otherwise what is shown if a sticker is wrong
 */
function questionOf(violations, otherwise) {
  const { stickers, palette } = store.get();
  if (!violations.every(({ code }) => code === "corner_twist" || code === "edge_flip")) return null;
  const remedy = stickers.includes("?") ? null : remedyOf(stickers);
  if (!remedy) return null;
  const { slot, isClockwise, cube } = remedy;
  const colours = listed(slot.map((at) => colorName(palette[/** @type {import("../types").Colour} */ (stickers[at])])));
  const places = listed(slot.map((at) => PLACES[placeName(at)[0]]));
  const turn =
    slot.length === 2
      ? phrases.flipEdge(colours, places)
      : isClockwise
        ? phrases.twistClockwise(colours, places)
        : phrases.twistCounterclockwise(colours, places);
  const box = h("div", { class: "question" });
  const yes = button(phrases.yesTheyAreRight, () => {
    store.set({ marks: slot });
    box.replaceChildren(
      h("p", {}, phrases.apart),
      h("p", {}, h("strong", {}, turn)),
      button(phrases.doneSolveIt, () => openCube(cube, { painting: false }), { class: "primary" }),
    );
  });
  const no = button(phrases.no, () => box.parentElement?.replaceChildren(...otherwise));
  box.append(h("p", {}, phrases.compare), h("div", { class: "row" }, yes, no));
  return box;
}

/** @typedef {{text: string, cube: string, changed: number[]}} Offer a nearby cube and the stickers that it changes */

/** @param {ProblemFields} problem @returns {HTMLElement[]} */
function repairsOf({ repairs: found, violations = [] }) {
  const { stickers } = store.get();
  const centres = centreOffers(violations);
  if (centres.length) return [buttonsOf(centres)];
  if (!found) return [];
  const others = [
    ...(found.turned_faces ?? []).map(({ face, turns, facelets }) => {
      const cube = inColoursOf(facelets, stickers);
      const rotate = [phrases.rotateClockwise, phrases.rotateTwice, phrases.rotateCounterclockwise][turns - 1];
      return { text: rotate(face), cube, changed: differences(stickers, cube) };
    }),
    ...(found.centres ?? []).map(({ changed: [a, b] }) => {
      const cube = [...stickers]
        .map((letter, at) => (at === a ? stickers[b] : at === b ? stickers[a] : letter))
        .join("");
      return { text: phrases.swapCentres(placeName(a), placeName(b)), cube, changed: [a, b] };
    }),
  ];
  if (found.distance > NEAR) return others.length ? [buttonsOf(others)] : [];
  // Only the wrong stickers are changed: the unpainted ones stay, because their colours are not known.
  const near = found.repairs.map(({ facelets, changed }) => {
    const whole = inColoursOf(facelets, stickers);
    return offer([...stickers].map((letter, at) => (changed.includes(at) ? whole[at] : letter)).join(""), changed);
  });
  const offers = near.filter(({ cube }, at) => near.findIndex((other) => other.cube === cube) === at);
  const number = found.distance === 1 ? phrases.oneSticker : phrases.stickers(found.distance);
  const total = Number(found.total);
  const many = total < 1000 ? total : phrases.many;
  const changes = found.distance === 1 ? phrases.oneChange : phrases.changes(found.distance);
  const part = total > near.length ? phrases.someAreBelow : "";
  const hint = isTouch() ? phrases.tapOne : phrases.pointToOne;
  const lead = total === 1 ? phrases.change(number) : phrases.severalChanges(many, changes, part, hint);
  return [h("p", {}, lead), buttonsOf([...others, ...offers])];
}

/** @param {string} cube @param {number[]} changed @returns {Offer} */
function offer(cube, changed) {
  const { palette } = store.get();
  const names = changed.map(
    (index) => `${placeName(index)}: ${colorName(palette[/** @type {import("../types").Colour} */ (cube[index])])}`,
  );
  return { text: phrases.correct(names.join(", ")), cube, changed };
}

/** Centres that may get the one colour that no centre has. @param {Violation[]} violations @returns {Offer[]} */
function centreOffers(violations) {
  const { stickers } = store.get();
  const absent = COLOURS.filter((colour) => !CENTRES.some((index) => stickers[index] === colour));
  const repeated = violations.filter(({ code }) => code === "repeated_centre").flatMap(({ stickers: at }) => at);
  if (absent.length !== 1) return [];
  // The service names the centre if that alone makes the cube possible.
  const named = violations.find(({ code, stickers: at }) => code === "symbol_count" && at.length === 1)?.stickers;
  const wrong = named && repeated.includes(named[0]) ? named : repeated;
  return wrong.map((index) => offer(stickers.slice(0, index) + absent[0] + stickers.slice(index + 1), [index]));
}

/** @param {string} a @param {string} b */
const differences = (a, b) => [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]));

/** @param {Offer[]} offers */
function buttonsOf(offers) {
  const buttons = offers.map(({ text, cube, changed }) =>
    previewButton(text, { stickers: cube, changed }, () => openCube(cube, { painting: cube.includes("?") })),
  );
  return h("div", { class: "row" }, ...buttons);
}
