// @ts-check
/**
 * The number of legal cubes that have the known stickers of a cube that is painted in part. The page counts them after each click, so
 * that it asks the service only for a cube that is decided. Pure functions, without a document: they also run in node.
 */
import { STICKERS } from "./cube.js";
import { SLOTS } from "./faults.js";

const CORNERS = SLOTS.filter((slot) => slot.length === 3);
const EDGES = SLOTS.filter((slot) => slot.length === 2);

/**
 * Counts the legal cubes with these stickers. They have the corner twist 0, the edge flip 0, and the same parity of corners and edges.
 *
 * @param {string} stickers with `?` for unknown ones
 * @returns {number} 0 also if the centres are not known and different
 */
export function completions(stickers) {
  const faces = new Map([..."URFDLB"].map((face, index) => [stickers[9 * index + 4], face]));
  if (faces.has("?") || faces.size < 6) return 0;
  const corners = arrangements(CORNERS, stickers, faces);
  const edges = arrangements(EDGES, stickers, faces);
  return corners[0] * edges[0] + corners[1] * edges[1];
}

/**
 * Whether exactly one legal cube has these stickers. Two pieces of a kind without a known sticker can be turned against each other, so
 * most cubes need no count.
 *
 * @param {string} stickers
 */
export function isDecided(stickers) {
  const isBlank = (/** @type {number[]} */ slot) => slot.every((index) => stickers[index] === "?");
  return [CORNERS, EDGES].every((slots) => slots.filter(isBlank).length < 2) && completions(stickers) === 1;
}

/**
 * Counts the ways to put each piece into a slot whose known stickers it fits, by a dynamic program over the sets of used pieces.
 *
 * @param {number[][]} slots @param {string} stickers @param {Map<string, string>} faces
 * @returns {number[]} the ways of even and of odd parity with orientation 0
 */
function arrangements(slots, stickers, faces) {
  const turns = slots[0].length;
  /** For each set of pieces the number of ways by orientation and parity. @type {Map<number, number[]>} */
  let ways = new Map([[0, [1, ...Array(2 * turns - 1).fill(0)]]]);
  for (const slot of slots) {
    const fits = slots.map((piece) => [...Array(turns).keys()].filter((turn) => fit(slot, piece, turn)));
    /** @type {typeof ways} */
    const next = new Map();
    for (const [used, counts] of ways)
      for (const [piece, orientations] of fits.entries()) {
        if (!orientations.length || used & (1 << piece)) continue;
        const set = used | (1 << piece);
        let sums = next.get(set);
        if (!sums) next.set(set, (sums = Array(2 * turns).fill(0)));
        const odd = parity(used >> (piece + 1));
        for (const turn of orientations)
          for (const [state, count] of counts.entries())
            if (count) sums[2 * (((state >> 1) + turn) % turns) + ((state & 1) ^ odd)] += count;
      }
    ways = next;
  }
  return [...ways.values()][0]?.slice(0, 2) ?? [0, 0];

  /** @param {number[]} slot @param {number[]} piece @param {number} turn */
  function fit(slot, piece, turn) {
    return slot.every((index, n) => {
      const face = faces.get(stickers[index]);
      return !face || face === STICKERS[piece[(n + turn) % turns]].face;
    });
  }
}

/** Whether the number of bits is odd: each larger piece in an earlier slot is an inversion. @param {number} bits @returns {0 | 1} */
function parity(bits) {
  let odd = 0;
  for (let rest = bits; rest; rest &= rest - 1) odd ^= 1;
  return /** @type {0 | 1} */ (odd);
}
