// @ts-check
/**
 * Finds the piece to twist or flip by hand on a cube that is scanned correctly but impossible. Pure functions, without a
 * document: they also run in node.
 */
import { completions } from "./completions.js";
import { SLOTS } from "./faults.js";

/** @typedef {{slot: number[], isClockwise: boolean, cube: string}} Remedy the stickers of the piece, the direction, and the cube after it */

/** A sticker of the corner at the top, right and front, which the usual view shows. */
const SEEN = 8;

/**
 * Returns a corner or edge that makes the cube possible when it is twisted or flipped. Any corner, or any edge, does. The likely one puts most
 * stickers on the face of their colour; a tie goes to the visible corner.
 *
 * @param {string} stickers a whole cube
 * @returns {Remedy | null} null if no piece does
 */
export function remedyOf(stickers) {
  const right = (/** @type {Remedy} */ { slot, cube }) =>
    slot.filter((index) => cube[index] === cube[9 * Math.floor(index / 9) + 4]).length +
    (slot.includes(SEEN) ? 0.5 : 0);
  return SLOTS.flatMap((slot) => {
    const turns = slot.length === 3 ? [1, 2] : [1];
    return turns.map((turn) => ({ slot, isClockwise: turn === 1, cube: turnedIn(stickers, slot, turn) }));
  })
    .filter(({ cube }) => completions(cube) === 1)
    .reduce(
      (/** @type {Remedy | null} */ best, remedy) => (best && right(best) >= right(remedy) ? best : remedy),
      null,
    );
}

/** The stickers of a slot go to the next place: for a corner, clockwise as seen from outside. @param {string} stickers @param {number[]} slot @param {number} turn */
function turnedIn(stickers, slot, turn) {
  const cube = [...stickers];
  for (const [n, index] of slot.entries()) cube[slot[(n + turn) % slot.length]] = stickers[index];
  return cube.join("");
}
