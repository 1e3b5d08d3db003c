// @ts-check
/** Arrows that show which way a layer turns: along its sides, or round its face when that is seen from the front. */
import { layerOf } from "./cube.js";
import { eyeOf, projectAll } from "./geometry.js";

/** @typedef {import("./cube.js").Vec3} Vec3 */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {[at: number, width: number]} Stop a place along the arrow, and half of its width there */

const WIDTH = 0.13;
const HEAD = 0.32;
const LENGTH = 0.42;
/** Length of the shaft between the two heads of a half turn. */
const GAP = 0.22;
/** The ends of an arrow on a side of the cube. */
const END = 1.15;
/** Radius and ends of an arrow round a face, in the units of the arrow. */
const RADIUS = 1;
const ARC = 2.4;
/** The cosine of the angle between a face and the line of sight from which on its sides are seen too obliquely. */
const FRONTAL = 0.8;

/**
 * One outline for each layer that the move turns. Half turns have two heads.
 *
 * @param {string} move @param {import("./geometry.js").View} view @returns {Point[][]}
 */
export function arrows(move, view) {
  const { axis, layers, quarters } = layerOf(move);
  const eye = eyeOf(view);
  const front = Math.sign(eye[axis]);
  if (layers.includes(front) && Math.abs(eye[axis]) > FRONTAL * Math.hypot(...eye)) {
    const round = (/** @type {number} */ at, /** @type {number} */ width) => {
      const angle = (at / RADIUS) * Math.sign(quarters);
      const radius = RADIUS + width;
      return vector(axis, 1.5 * front, radius * Math.cos(angle), radius * Math.sin(angle));
    };
    const heads = Math.abs(quarters) * LENGTH + (Math.abs(quarters) === 2 ? GAP : 0);
    const arc = [...Array(25).keys()].map((n) => /** @type {Stop} */ ([-ARC + (n / 24) * (2 * ARC - heads), WIDTH]));
    return [outline([[[...arc, ...head(ARC, quarters)], round]], view)];
  }
  const sides = seenSides(axis, quarters > 0, eye);
  return layers.map((layer) => {
    const parts = sides.map(({ normal, along }, n) => {
      const flat = (/** @type {number} */ at, /** @type {number} */ width) =>
        /** @type {Vec3} */ (normal.map((value, i) => (i === axis ? layer + width : 1.5 * value + at * along[i])));
      const start = /** @type {Stop} */ ([n === 0 ? -END : -1.5, WIDTH]);
      const end = n === sides.length - 1 ? head(END, quarters) : [/** @type {Stop} */ ([1.5, WIDTH])];
      return /** @type {[Stop[], typeof flat]} */ ([[start, ...end], flat]);
    });
    return outline(parts, view);
  });
}

/** @param {number} tip @param {number} quarters @returns {Stop[]} */
const head = (tip, quarters) => [
  ...(Math.abs(quarters) === 2
    ? /** @type {Stop[]} */ ([
        [tip - 2 * LENGTH - GAP, WIDTH],
        [tip - 2 * LENGTH - GAP, HEAD],
        [tip - LENGTH - GAP, WIDTH],
      ])
    : []),
  [tip - LENGTH, WIDTH],
  [tip - LENGTH, HEAD],
  [tip, 0],
];

/**
 * The point with the value `a` on an axis, and `b` and `c` on the next two.
 *
 * @param {number} axis
 * @param {number} a
 * @param {number} b
 * @param {number} c
 */
const vector = (axis, a, b, c) => /** @type {Vec3} */ ([0, 1, 2].map((i) => [a, b, c][(i - axis + 3) % 3]));

/**
 * The sides round an axis that face the eye, in the direction of the turn, with the direction in which each is crossed.
 *
 * @param {number} axis @param {boolean} positive @param {Vec3} eye @returns {{normal: Vec3, along: Vec3}[]}
 */
function seenSides(axis, positive, eye) {
  const turn = [vector(axis, 0, 1, 0), vector(axis, 0, 0, 1), vector(axis, 0, -1, 0), vector(axis, 0, 0, -1)];
  const ring = positive ? turn : turn.reverse();
  const sides = ring.map((normal, n) => ({ normal, along: ring[(n + 1) % 4] }));
  const seen = sides.filter(({ normal }) => normal.reduce((sum, value, i) => sum + value * eye[i], 0) > 1.5);
  return seen[1]?.along === seen[0]?.normal ? seen.reverse() : seen;
}

/** @param {[Stop[], (at: number, width: number) => Vec3][]} parts @param {import("./geometry.js").View} view */
function outline(parts, view) {
  const line = (/** @type {1|-1} */ sign) =>
    parts.flatMap(([stops, place]) => stops.map(([at, width]) => place(at, sign * width)));
  return projectAll(view, [...line(1), ...line(-1).reverse()]);
}
