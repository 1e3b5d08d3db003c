// @ts-check
// Samples of a picture, and the nearest colours of a palette.

import { h } from "../dom.js";
import { colour as phrases } from "../sentences.js";

/** @typedef {[number, number, number]} Rgb */

/** Width of the copy of a face from which the samples are taken; each of the nine cells is a third of it. */
const WIDTH = 96;
/** Width of the patch in the middle of a cell. */
const PATCH = 14;

/** @type {CanvasRenderingContext2D | null} */
let context = null;

/** @param {number[]} values @param {number} part 0 to 1 */
const quantile = (values, part) => values[Math.round(part * (values.length - 1))];

/**
 * Takes nine samples of a square of a picture, row by row: the median of each channel in the middle of each cell.
 *
 * @param {CanvasImageSource} source
 * @param {{x: number, y: number, size: number}} square in pixels of the source
 * @returns {{colours: Rgb[], spread: number}} `spread` is the greatest range of the middle half of a channel in a patch
 */
export function sampleFace(source, { x, y, size }) {
  context ??= h("canvas", { width: WIDTH, height: WIDTH }).getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error(phrases.thisBrowserHasNoCanvas);
  context.drawImage(source, x, y, size, size, 0, 0, WIDTH, WIDTH);
  let spread = 0;
  const colours = [...Array(9).keys()].map((cell) => {
    const [left, top] = [cell % 3, Math.floor(cell / 3)].map((at) =>
      Math.round(((at + 0.5) * WIDTH - 1.5 * PATCH) / 3),
    );
    const { data } = /** @type {CanvasRenderingContext2D} */ (context).getImageData(left, top, PATCH, PATCH);
    return /** @type {Rgb} */ (
      [0, 1, 2].map((channel) => {
        const values = [...data].filter((_, at) => at % 4 === channel).sort((a, b) => a - b);
        spread = Math.max(spread, quantile(values, 0.75) - quantile(values, 0.25));
        return quantile(values, 0.5);
      })
    );
  });
  return { colours, spread };
}

/** @param {Rgb} rgb */
export const cssOf = (rgb) => `rgb(${rgb.join(" ")})`;

/** Converts sRGB, 0 to 255, to the perceptual space OKLab. @param {number[]} rgb */
export function oklab(rgb) {
  const [r, g, b] = rgb.map((value) => (value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Lightness below which the hue of a sample is noise. */
const DARK = 0.2;

/**
 * Squared distance of two colours in OKLab, each with its chroma relative to its lightness. This quotient does not depend on the
 * exposure, in which the faces of a scan differ. Lightness itself counts little.
 *
 * @param {number[]} a @param {number[]} b
 */
export function distance(a, b) {
  const [p, q] = [a, b].map(oklab).map(([l, ...chroma]) => [l, ...chroma.map((value) => value / Math.max(l, DARK))]);
  return 0.1 * (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2;
}

/** @param {string} hex `#rrggbb` */
const rgbOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/**
 * Assigns the six colours of a scan to the six colours of the palette, one to one, with the least sum of squared distances.
 *
 * @param {number[][]} references six colours of the scan
 * @param {Record<string, string>} palette
 * @returns {string[]} a letter of the palette for each colour
 */
export function matchPalette(references, palette) {
  // The brightest channel of the scan is as bright as that of the palette, so a dark scan keeps its white.
  const gain = 255 / Math.max(1, ...references.flat());
  const lit = references.map((rgb) => rgb.map((value) => value * gain));
  const letters = Object.keys(palette);
  const costs = lit.map((rgb) => letters.map((letter) => distance(rgb, rgbOf(palette[letter]))));
  let best = { cost: Infinity, order: /** @type {number[]} */ ([]) };
  /** @param {number[]} order @param {number} cost */
  const extend = (order, cost) => {
    if (cost >= best.cost) return;
    if (order.length === costs.length) best = { cost, order };
    else
      for (const at of letters.keys()) if (!order.includes(at)) extend([...order, at], cost + costs[order.length][at]);
  };
  extend([], 0);
  return best.order.map((at) => letters[at]);
}
