// @ts-check
// The order of the faces, how the cube is held for each of them, and the small pictures that show it.
//
// Between two faces the cube makes one quarter turn. The directions are those of the cube as the camera sees it. So they are right for a
// person who looks at the cube through the camera, and for a person who sits in front of it.

import { svgElement } from "../cube/overlay.js";
import { FACES, STICKERS, cross } from "../cube/cube.js";
import { cameraHolding as phrases, words } from "../sentences.js";

/** @typedef {"U" | "R" | "F" | "D" | "L" | "B"} Face */
/** @typedef {{face: Face, up: Face, turn: "" | "tip" | "spin"}} Hold */

/** The faces in the order of the scan. `up` is the face above, and `turn` leads from the hold before to this one. @type {Hold[]} */
export const HOLDS = [
  { face: "U", up: "B", turn: "" },
  { face: "F", up: "U", turn: "tip" },
  { face: "R", up: "U", turn: "spin" },
  { face: "B", up: "U", turn: "spin" },
  { face: "L", up: "U", turn: "spin" },
  { face: "D", up: "L", turn: "tip" },
];

/** @type {Record<string, string>} */
export const PLACES = {
  U: words.top,
  R: words.right,
  F: words.front,
  D: words.bottom,
  L: words.left,
  B: words.back,
};

/** @param {string} face */
const normalOf = (face) => STICKERS[9 * FACES.indexOf(face)].normal;

/** @param {number[]} point */
const stickerAt = (point) =>
  STICKERS.findIndex(({ center }) => center.every((value, axis) => Math.abs(value - point[axis]) < 0.1));

/** The stickers of a face in the order of the picture, row by row. @param {Hold} hold @returns {number[]} */
export function stickersOf({ face, up }) {
  const [front, above] = [normalOf(face), normalOf(up)];
  const right = cross(above, front);
  return [...Array(9).keys()].map((cell) => {
    const [x, y] = [(cell % 3) - 1, 1 - Math.floor(cell / 3)];
    return stickerAt([0, 1, 2].map((axis) => 1.5 * front[axis] + x * right[axis] + y * above[axis]));
  });
}

/** The number of the centre of a face. @param {string} face */
export const centreOf = (face) => 9 * FACES.indexOf(face) + 4;

/**
 * What to do for a face, in words.
 *
 * @param {Hold} hold
 * @param {boolean} follows whether the cube is still held as for the face before
 * @param {boolean} photo whether the face is taken from a photo
 */
export function wordsOf({ face, up, turn }, follows, photo) {
  const then = photo ? phrases.photograph(PLACES[face]) : "";
  if (follows && turn === "tip") return photo ? phrases.tipForPhoto(then) : phrases.tip(PLACES[face]);
  if (follows && turn === "spin") return phrases.turn(then || phrases.theTopStaysOnTop);
  if (photo && !turn) return phrases.photographAnyFace;
  if (photo) return phrases.photographFaceBelow(PLACES[face], PLACES[up]);
  if (!turn) return phrases.showAnyFace;
  return phrases.showFaceBelow(PLACES[face], PLACES[up]);
}

/**
 * The picture of a held cube: the face towards the camera, the one above, and the one at its right.
 *
 * @param {Hold} hold
 * @param {(face: string) => string | null} colourOf the colour of a centre, if it is scanned
 * @param {"" | "tip" | "spin"} turn an arrow for the turn that follows
 */
export function picture({ face, up }, colourOf, turn) {
  const right = cross(normalOf(up), normalOf(face));
  const side =
    [...FACES].find((name) => normalOf(name).every((value, axis) => Math.abs(value - right[axis]) < 0.1)) ?? "";
  const svg = svgElement("svg", { viewBox: "0 0 84 84", "aria-hidden": "true" });
  /** @param {string} name @param {[number, number]} from @param {[number, number]} across @param {[number, number]} down */
  const plane = (name, [x, y], across, down) => {
    for (let cell = 0; cell < 9; cell++) {
      const [column, row] = [cell % 3, Math.floor(cell / 3)];
      /** @param {number} i @param {number} j */
      const at = (i, j) => `${x + (across[0] * i + down[0] * j) / 3},${y + (across[1] * i + down[1] * j) / 3}`;
      const [c, r] = [column, row];
      const tile = svgElement("polygon", {
        class: name === face ? "front" : "",
        points: [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)].join(" "),
      });
      tile.style.fill = (cell === 4 && colourOf(name)) || "";
      svg.append(tile);
    }
  };
  plane(up, [22, 4], [60, 0], [-20, 18]);
  plane(side, [62, 22], [20, -18], [0, 60]);
  plane(face, [2, 22], [60, 0], [0, 60]);
  const shaft = { tip: "M32 70V36", spin: "M50 52H16", "": "" }[turn];
  const head = { tip: "M22 46L32 32L42 46", spin: "M26 42L12 52L26 62", "": "" }[turn];
  if (turn)
    svg.append(
      svgElement("path", { d: shaft + head, class: "halo" }),
      svgElement("path", { d: shaft + head, class: "arrow" }),
    );
  return svg;
}
