// @ts-check
// The grid over a picture, and nine samples as a small face.

import { svgElement } from "../cube/overlay.js";
import { h } from "../dom.js";
import { cssOf } from "./colour.js";

/** Nine places for samples, row by row. @param {string} className */
export const tilesOf = (className) =>
  h("span", { class: `tiles ${className}`, ariaHidden: "true" }, ...Array.from({ length: 9 }, () => h("i")));

/** @param {Element} tiles of `tilesOf` @param {import("./colour.js").Rgb[] | null} colours */
export function paintTiles(tiles, colours) {
  for (const [at, tile] of [...tiles.children].entries())
    /** @type {HTMLElement} */ (tile).style.background = colours ? cssOf(colours[at]) : "";
}

/**
 * A grid over a picture, with everything outside of it shaded.
 *
 * @param {number} width of the picture @param {number} height
 * @param {{x: number, y: number, size: number}} square
 */
export function gridOf(width, height, square) {
  const svg = svgElement("svg", { class: "grid", "aria-hidden": "true" });
  const shade = svgElement("path", { class: "shade", "fill-rule": "evenodd" });
  const [halo, lines] = [svgElement("path", { class: "halo" }), svgElement("path", { class: "lines" })];
  svg.append(shade, halo, lines);
  drawGrid(svg, width, height, square);
  return svg;
}

/** @param {SVGElement} svg of `gridOf` @param {number} width @param {number} height @param {{x: number, y: number, size: number}} square */
export function drawGrid(svg, width, height, { x, y, size }) {
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const frame = `M${x} ${y}h${size}v${size}h${-size}z`;
  const third = size / 3;
  const inner = [1, 2].map((at) => `M${x + at * third} ${y}v${size}M${x} ${y + at * third}h${size}`).join("");
  const [shade, halo, lines] = svg.children;
  shade.setAttribute("d", `M0 0h${width}v${height}h${-width}z${frame}`);
  for (const path of [halo, lines]) path.setAttribute("d", frame + inner);
}
