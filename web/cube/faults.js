// @ts-check
/**
 * Faults among the known stickers of a cube that is painted in part. Of such a cube the service says only that no legal cube has its
 * stickers. Also the words for the faults that the service finds. Pure functions, without a document: they also run in node.
 */
import { STICKERS, cross, layerAt } from "./cube.js";
import { colorName, placeName } from "./names.js";
import { faults as phrases } from "../sentences.js";

/** @typedef {import("../types").Violation} Violation */

/** The stickers of each corner and edge, those of a corner in the same sense of rotation. */
export const SLOTS = [...new Set(STICKERS.map(({ center }) => cubieOf(center)))]
  .map((cubie) => [...STICKERS.keys()].filter((index) => cubieOf(STICKERS[index].center) === cubie))
  .filter((slot) => slot.length > 1)
  .map((slot) => {
    const [a, b, c = a] = slot.map((index) => STICKERS[index].normal);
    const side = cross(a, b).reduce((sum, value, i) => sum + value * c[i], 0);
    return side > 0 ? [slot[0], slot[2], slot[1]] : slot;
  });

/** @param {number[]} center */
function cubieOf(center) {
  return center.map((value) => layerAt(value) + 0).join();
}

/** The first sticker of each piece that has one of these stickers: a piece gets one mark. @param {number[]} stickers */
export const onePerPiece = (stickers) => [
  ...new Set(stickers.map((index) => SLOTS.find((slot) => slot.includes(index))?.[0] ?? index)),
];

/** Slots of the same kind of which one face is part. */
const EACH = 4;

/**
 * Slots whose colours no piece has and pieces that occur twice. Without them, colours that are on too many corners or edges.
 *
 * @param {string} stickers with six known and different centres
 * @param {import("./names.js").Palette} palette
 * @returns {Violation[]}
 */
export function faultsOf(stickers, palette) {
  const faces = new Map([..."URFDLB"].map((face, index) => [stickers[9 * index + 4], face]));
  const known = (/** @type {number[]} */ slot) => slot.filter((index) => faces.has(stickers[index]));
  const places = (/** @type {number[]} */ list) => listed(list.map(placeName));
  const colours = (/** @type {number[]} */ list) => listed(list.map((index) => colorName(palette[stickers[index]])));
  /** @type {Violation[]} */
  const found = [];
  /** The slots of each piece that is recognised. @type {Map<number, number[][]>} */
  const slotsOf = new Map();

  for (const slot of SLOTS) {
    const word = slot.length === 3 ? "corner" : "edge";
    const pieces = [...SLOTS.keys()].filter((piece) => fits(slot, SLOTS[piece]));
    const seen = known(slot);
    if (!pieces.length) {
      const say = word === "corner" ? phrases.noSuchCorner : phrases.noSuchEdge;
      const message = say(colours(seen), places(seen));
      found.push({ code: `impossible_${word}`, message, stickers: seen });
    }
    if (pieces.length === 1) slotsOf.set(pieces[0], [...(slotsOf.get(pieces[0]) ?? []), seen]);
  }
  for (const [piece, slots] of slotsOf) {
    if (slots.length < 2) continue;
    const word = SLOTS[piece].length === 3 ? "corner" : "edge";
    const full = slots.reduce((a, b) => (b.length > a.length ? b : a));
    const say = word === "corner" ? phrases.cornerRepeated : phrases.edgeRepeated;
    const message = say(colours(full), slots.length, places(slots.flat()));
    found.push({ code: `duplicate_${word}`, message, stickers: slots.flat() });
  }
  if (found.length) return found;
  for (const colour of faces.keys()) {
    for (const length of [3, 2]) {
      const on = SLOTS.filter((slot) => slot.length === length).flat();
      const seen = on.filter((index) => stickers[index] === colour);
      if (seen.length <= EACH) continue;
      const say = length === 3 ? phrases.tooManyCorners : phrases.tooManyEdges;
      const message = say(seen.length, colorName(palette[colour]), EACH, places(seen));
      found.push({ code: "symbol_count", message, stickers: seen });
    }
  }
  return found;

  /** Whether a piece shows the known stickers of a slot in some rotation. @param {number[]} slot @param {number[]} piece */
  function fits(slot, piece) {
    return (
      slot.length === piece.length &&
      piece.some((_, by) =>
        slot.every((index, n) => {
          const face = faces.get(stickers[index]);
          return !face || face === STICKERS[piece[(n + by) % piece.length]].face;
        }),
      )
    );
  }
}

/** A list in words. @param {string[]} items */
export const listed = (items) => [items.slice(0, -1).join(", "), ...items.slice(-1)].filter(Boolean).join(phrases.and);

/** What is wrong, in a few words, by the code of the violation. Only the first that occurs is said. @type {Record<string, string>} */
const FACTS = {
  too_many_symbols: phrases.moreColours,
  too_few_symbols: phrases.fewerColours,
  repeated_centre: phrases.centres,
  symbol_count: phrases.oneColour,
  impossible_corner: phrases.corner,
  impossible_edge: phrases.edge,
  duplicate_corner: phrases.aCornerOccursTwice,
  duplicate_edge: phrases.anEdgeOccursTwice,
  corner_twist: phrases.twisted,
  edge_flip: phrases.flipped,
  permutation_parity: phrases.twoPiecesAreSwapped,
  no_completion: phrases.impossible,
};

/**
 * What is wrong with a cube, in a few words that name the colours.
 *
 * @param {{code: string}[]} violations those that the service found
 * @param {string} stickers
 * @param {import("./names.js").Palette} palette
 */
export function factOf(violations, stickers, palette) {
  const code = Object.keys(FACTS).find((known) => violations.some((violation) => violation.code === known));
  const counts = [..."URFDLB"].map((colour) => ({
    name: colorName(palette[colour]),
    count: stickers.split(colour).length - 1,
  }));
  const wrong = counts.filter(({ count }) => count > 9 || (count < 9 && !stickers.includes("?")));
  if (code !== "symbol_count" || !wrong.length) return code ? FACTS[code] : "";
  return phrases.counts(listed(wrong.map(({ name, count }) => `${count} ${name}`)));
}
