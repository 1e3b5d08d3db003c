// @ts-check
/** Words for stickers: their place and their colour. */
import { colours } from "../sentences.js";
import { STICKERS } from "./cube.js";

/** @typedef {Record<string, string>} Palette hex colours of the letters U R F D L B */

/** @type {Palette} */
export const PALETTE = { U: "#ffffff", R: "#c41e3a", F: "#009b48", D: "#ffd500", L: "#ff5800", B: "#0046ad" };

/** @type {[name: string, hex: string][]} */
const NAMES = [
  [colours.white, "ffffff"],
  [colours.yellow, "ffd500"],
  [colours.red, "c8102e"],
  [colours.orange, "ff6a00"],
  [colours.green, "00a040"],
  [colours.blue, "0048b8"],
  [colours.black, "111111"],
  [colours.grey, "808080"],
  [colours.pink, "ff6fb5"],
  [colours.purple, "7b2fbe"],
  [colours.brown, "7a4a20"],
  [colours.lightBlue, "4fb8ff"],
  [colours.lightGreen, "7be36a"],
  [colours.darkRed, "7d0d1c"],
  [colours.darkGreen, "005a28"],
  [colours.darkBlue, "001f60"],
  [colours.cream, "f5ecc8"],
];

/** @param {string} hex @returns {number[]} */
const channels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(-6).slice(at, at + 2), 16));

/** @type {Map<string, string>} */
const known = new Map();

/** The name of the nearest common colour. @param {string} hex `#rrggbb` @returns {string} */
export function colorName(hex) {
  const name = known.get(hex) ?? nearest(hex);
  known.set(hex, name);
  return name;
}

/** @param {string} hex */
function nearest(hex) {
  const wanted = channels(hex);
  const far = (/** @type {string} */ other) => {
    const [r, g, b] = channels(other).map((value, i) => value - wanted[i]);
    const mean = (wanted[0] + channels(other)[0]) / 512;
    return (2 + mean) * r * r + 4 * g * g + (3 - mean) * b * b;
  };
  return NAMES.reduce((best, entry) => (far(entry[1]) < far(best[1]) ? entry : best))[0];
}

/**
 * The letter of a colour: the first of its name, or its digit if two names begin alike.
 *
 * @param {string} colour @param {Palette} palette
 */
export function letterOf(colour, palette) {
  const first = (/** @type {string} */ other) => colorName(palette[other])[0].toUpperCase();
  const alone = Object.keys(PALETTE).filter((other) => first(other) === first(colour)).length === 1;
  return alone ? first(colour) : String(Object.keys(PALETTE).indexOf(colour) + 1);
}

/** The name of a place: `U1` to `B9`. @param {number} index */
export const placeName = (index) => `${STICKERS[index].face}${(index % 9) + 1}`;

/**
 * The place and colour of a sticker, such as `U1 white`.
 *
 * @param {number} index
 * @param {string} symbol
 * @param {Palette} palette
 */
export const stickerName = (index, symbol, palette) =>
  `${placeName(index)} ${palette[symbol] ? colorName(palette[symbol]) : colours.unpainted}`;
