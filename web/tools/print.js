// @ts-check
// What is printed: scrambles with their cubes, or a solution to be followed on paper. The sheet replaces the page in print, also for Ctrl P.

import { arrows } from "../cube/arrow.js";
import { applyMoves, layerOf } from "../cube/cube.js";
import { BODY, multiply, polygons, rotation } from "../cube/geometry.js";
import { svgElement } from "../cube/overlay.js";
import { h } from "../dom.js";
import { describe, hint, numberOfMoves } from "../follow/words.js";
import { SOLVED, store } from "../store.js";
import { holding } from "../panels/holding.js";
import { print as phrases } from "../sentences.js";

const VIEW = {
  matrix: multiply(rotation(0, 30), rotation(1, -36)),
  distance: 5,
};

/** @param {import("../cube/geometry.js").Point[]} points */
const pointsText = (points) => points.map((point) => point.map((value) => value.toFixed(3)).join()).join(" ");

/** A still picture of a cube, with an arrow for the next move. @param {string} stickers @param {string} [move] */
export function picture(stickers, move) {
  const { palette } = store.get();
  const svg = svgElement("svg", {
    viewBox: "-0.85 -0.85 1.7 1.7",
    "aria-hidden": "true",
  });
  const still = move ? { ...layerOf(move), angle: 0 } : undefined;
  for (const { index, points, front, turns } of polygons(VIEW, still)) {
    if (!front) continue;
    const colour = palette[/** @type {import("../types").Colour} */ (stickers[index])] ?? "#8a8f98";
    const fill = index < BODY ? colour : still && turns ? "#b9bdc3" : "#222";
    svg.append(svgElement("polygon", { points: pointsText(points), fill }));
  }
  for (const arrow of move ? arrows(move, VIEW) : [])
    svg.append(svgElement("polygon", { points: pointsText(arrow), class: "arrow" }));
  return svg;
}

/** @param {string} kind @param {HTMLElement[]} lead @param {HTMLElement[]} items */
const sheet = (kind, lead, items) =>
  h("section", { class: "sheet" }, ...lead, h("ol", { class: `${kind} sheet-items` }, ...items));

/** The scrambles that were generated last. @type {{kind: string, list: {scramble: string, stickers: string}[]}} */
let scrambles = { kind: "", list: [] };

/** @param {string} kind @param {{scramble: string, stickers: string}[]} list */
export function offerScrambles(kind, list) {
  scrambles = { kind, list };
}

function scrambleSheet() {
  const items = scrambles.list.map(({ scramble, stickers }) => h("li", {}, picture(stickers), h("code", {}, scramble)));
  const note = phrases.forTraining;
  return sheet(
    "lines",
    [h("h1", {}, phrases.scrambles(scrambles.kind)), h("p", {}, holding(SOLVED)), h("p", {}, note)],
    items,
  );
}

/** The cube before each move, with its arrow, its sentence and a box to tick; then the solved cube. */
function stepSheet() {
  const { stickers, solution } = store.get();
  const { moves, length, actions } = /** @type {import("../types").Solution} */ (solution);
  const items = moves.map((move, step) =>
    h(
      "li",
      {},
      h("p", { class: "tick" }, h("i", {}), `${step + 1}.`, h("code", {}, move)),
      picture(applyMoves(stickers, moves.slice(0, step)), move),
      h("p", {}, `${describe(move)}.`),
      h("p", { class: "quiet" }, hint(move) && `${hint(move)}.`),
    ),
  );
  const end = h("li", {}, h("p", { class: "tick" }, phrases.solved), picture(applyMoves(stickers, moves)));
  const lead = h(
    "div",
    { class: "lead" },
    picture(stickers),
    h(
      "div",
      {},
      h("h1", {}, phrases.solveThisCubeIn(numberOfMoves(length))),
      h("p", {}, h("strong", {}, holding(stickers)), " ", !actions && phrases.holdItSo),
      h("p", {}, phrases.instructions),
      h("p", {}, h("code", {}, moves.join(" "))),
    ),
  );
  return sheet("steps", [lead], [...items, end]);
}

addEventListener("beforeprint", () => {
  const { mode, solution } = store.get();
  document.querySelector(".sheet")?.remove();
  if (mode === "scramble" && scrambles.list.length) document.body.append(scrambleSheet());
  else if (mode === "solve" && solution?.length) document.body.append(stepSheet());
});
addEventListener("afterprint", () => document.querySelector(".sheet")?.remove());
