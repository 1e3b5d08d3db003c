// @ts-check
/** The arrow that shows which way a layer turns: a band along those sides of the layer that are seen. */
import { layerOf } from "./cube.js";
import { eyeOf, projectAll } from "./geometry.js";

/** @typedef {import("./cube.js").Vec3} Vec3 */
/** @typedef {import("./geometry.js").Point} Point */

const WIDTH = 0.1;
const HEAD = 0.24;
const LENGTH = 0.42;
const LIFT = 1.5;

/**
 * One outline for each layer that the move turns. The ends of a half turn have two heads.
 *
 * @param {string} move @param {import("./geometry.js").View} view @returns {Point[][]}
 */
export function arrows(move, view) {
  const { axis, layers, quarters } = layerOf(move);
  const eye = eyeOf(view);
  const path = seenPath(axis, quarters > 0, eye);
  if (!path) return [];
  return layers.map((layer) => outline(path, axis, layer, Math.abs(quarters) === 2, view));
}

/**
 * The sides round an axis in the direction of the turn, each as its normal and the direction in which it is crossed; those that
 * face the eye, in order.
 *
 * @param {number} axis @param {boolean} positive @param {Vec3} eye @returns {{normal: Vec3, along: Vec3}[]|undefined}
 */
function seenPath(axis, positive, eye) {
  const unit = (/** @type {number} */ i, /** @type {number} */ sign) =>
    /** @type {Vec3} */ ([0, 1, 2].map((n) => (n === i % 3 ? sign : 0)));
  const turn = [unit(axis + 1, 1), unit(axis + 2, 1), unit(axis + 1, -1), unit(axis + 2, -1)];
  const ring = positive ? turn : turn.reverse();
  const sides = ring.map((normal, n) => ({ normal, along: ring[(n + 1) % 4] }));
  const seen = sides.map(({ normal }) => normal.reduce((sum, value, i) => sum + value * eye[i], 0) > 1.5);
  const first = seen.findIndex((is, n) => is && !seen[(n + 3) % 4]);
  if (first < 0) return undefined;
  return seen[(first + 1) % 4] ? [sides[first], sides[(first + 1) % 4]] : [sides[first]];
}

/**
 * @param {{normal: Vec3, along: Vec3}[]} path @param {number} axis @param {number} layer @param {boolean} half
 * @param {import("./geometry.js").View} view @returns {Point[]}
 */
function outline(path, axis, layer, half, view) {
  /** @type {Vec3[]} */
  const left = [];
  /** @type {Vec3[]} */
  const right = [];
  /** @param {{normal: Vec3, along: Vec3}} side @param {number} at @param {number} width */
  const add = ({ normal, along }, at, width) => {
    for (const [list, sign] of /** @type {[Vec3[], number][]} */ ([
      [left, 1],
      [right, -1],
    ]))
      list.push(
        /** @type {Vec3} */ (
          [0, 1, 2].map((i) => (i === axis ? layer + sign * width : LIFT * normal[i] + at * along[i]))
        ),
      );
  };
  add(path[0], -1.15, WIDTH);
  if (path.length > 1) add(path[0], LIFT, WIDTH);
  const last = path[path.length - 1];
  const tip = 1.15;
  if (half) {
    add(last, tip - 2 * LENGTH, WIDTH);
    add(last, tip - 2 * LENGTH, HEAD);
    add(last, tip - LENGTH, WIDTH);
  } else add(last, tip - LENGTH, WIDTH);
  add(last, tip - LENGTH, HEAD);
  add(last, tip, 0);
  return projectAll(view, [...left, ...right.reverse()]);
}
