// @ts-check
// Print sheets: scrambles with their cubes, and a solution step by step. The sheet replaces the page on paper.

import { applyMoves } from "../cube/cube.js";
import { BODY, multiply, polygons, rotation } from "../cube/geometry.js";
import { colorName } from "../cube/names.js";
import { svgElement } from "../cube/overlay.js";
import { h } from "../dom.js";
import { SOLVED, store } from "../store.js";

const VIEW = {
  matrix: multiply(rotation(0, 30), rotation(1, -36)),
  distance: 5,
};

/** A still picture of a cube. @param {string} stickers */
export function picture(stickers) {
  const { palette } = store.get();
  const svg = svgElement("svg", {
    viewBox: "-0.85 -0.85 1.7 1.7",
    "aria-hidden": "true",
  });
  for (const { index, points, front } of polygons(VIEW)) {
    if (!front) continue;
    const fill =
      index < BODY ? (palette[/** @type {import("../types").Colour} */ (stickers[index])] ?? "#8a8f98") : "#222";
    const attributes = {
      points: points.map((point) => point.map((value) => value.toFixed(3)).join()).join(" "),
      fill,
    };
    svg.append(svgElement("polygon", attributes));
  }
  return svg;
}

/** How to hold a cube with these centres. @param {string} stickers */
export function holding(stickers) {
  const { palette } = store.get();
  const [top, front] = [4, 22].map((centre) => /** @type {import("../types").Colour} */ (stickers[centre]));
  return `Hold ${colorName(palette[top])} on top and ${colorName(palette[front])} in front.`;
}

/** @param {string} title @param {string[]} lead @param {string} kind @param {HTMLElement[]} items */
function printSheet(title, lead, kind, items) {
  const sheet = h(
    "section",
    { class: "sheet" },
    h("h1", {}, title),
    ...lead.map((line) => h("p", {}, line)),
    h("ol", { class: kind }, ...items),
  );
  document.body.append(sheet);
  addEventListener("afterprint", () => sheet.remove(), { once: true });
  print();
}

/** @param {string} kind @param {{scramble: string, stickers: string}[]} scrambles */
export function printScrambles(kind, scrambles) {
  const items = scrambles.map(({ scramble, stickers }) => h("li", {}, picture(stickers), h("code", {}, scramble)));
  const note = "For training. Official competitions must use the official scramble program of the WCA.";
  printSheet(`Scrambles: ${kind}`, [`${holding(SOLVED)} ${note}`], "lines", items);
}

/** Prints the cube before each move of the solution and at its end. */
export function printSteps() {
  const { stickers, solution } = store.get();
  if (!solution) return;
  const items = [...solution.moves.keys(), solution.length].map((step) =>
    h(
      "li",
      {},
      h("code", {}, step < solution.length ? `${step + 1}. ${solution.moves[step]}` : "solved"),
      picture(applyMoves(stickers, solution.moves.slice(0, step))),
    ),
  );
  const lead = `${holding(stickers)} Each picture shows the cube before its move.`;
  printSheet(`Solution of ${solution.length} moves`, [lead, solution.moves.join(" ")], "steps", items);
}
