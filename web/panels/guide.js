// @ts-check
// The next thing to do for a cube that is painted in part: pure functions, without a document.

import { CENTRES } from "../actions.js";
import { colorName } from "../cube/names.js";
import { COLOURS } from "../store.js";
import { actions, guide as phrases } from "../sentences.js";

/** @typedef {import("../types").Palette} Palette */
/** @typedef {import("../types").Colour} Colour */

/** The faces in the order of copying, each with the face above it: the cube turns round once, then is tipped to its top and its bottom. */
const ORDER = ["FU", "RU", "BU", "LU", "UB", "DF"];

/** @param {string} face */
export const startOf = (face) => 9 * "URFDLB".indexOf(face);

/** The place in the order of the first face that has unpainted stickers, or -1. @param {string} stickers */
const placeOf = (stickers) =>
  ORDER.findIndex(([face]) => stickers.slice(startOf(face), startOf(face) + 9).includes("?"));

/** The face to copy next, if there is one. @param {string} stickers @returns {string | undefined} */
export const nextFace = (stickers) => ORDER[placeOf(stickers)]?.[0];

/**
 * What to do next, in words. Empty for a whole cube.
 *
 * @param {string} stickers @param {Palette} palette
 */
export function guideOf(stickers, palette) {
  const name = (/** @type {string} */ colour) => colorName(palette[/** @type {Colour} */ (colour)]);
  const next = placeOf(stickers);
  if (next < 0) return "";
  if (CENTRES.some((index) => stickers[index] === "?")) return actions.centresFirst;
  const many = COLOURS.find((colour) => stickers.split(colour).length > 10);
  if (many) return phrases.tooMany(stickers.split(many).length - 1, name(many));
  const [face, above] = [...ORDER[next]].map((one) => name(stickers[startOf(one) + 4]));
  return phrases.face(next + 1, face, above);
}
