// @ts-check
/**
 * Rotation, perspective and the order of drawing. Pure functions, without a document: they also run in node.
 */
import { STICKERS, layerAt } from "./cube.js";

/** @typedef {import("./cube.js").Vec3} Vec3 */
/** @typedef {[number, number]} Point */
/** @typedef {number[]} Matrix a 3 by 3 matrix by rows */
/**
 * @typedef {{matrix: Matrix, distance: number}} View the rotation of the cube, and the distance of the eye in edges of
 * the cube
 */
/**
 * @typedef {{axis: 0|1|2, layers: number[], angle: number}} Turning layers rotated by degrees about the positive axis
 */
/**
 * @typedef {object} Polygon
 * @property {number} index
 * @property {Point[]} points
 * @property {boolean} front whether it faces the eye
 * @property {boolean} hint whether it is a hidden sticker that floats behind the cube
 * @property {boolean} turns
 * @property {number} light from 0, away from the light, to 1
 */

/** Index of the first polygon of the body. Side k, 0 to 5, of the slab s, -1 to 1, is BODY + 6 (s + 1) + k. */
export const BODY = 54;

/** @type {Matrix} */
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/**
 * The rotation about a positive axis by degrees, by the right-hand rule.
 *
 * @param {number} axis
 * @param {number} degrees
 * @returns {Matrix}
 */
export function rotation(axis, degrees) {
  const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  const m = [...IDENTITY];
  m[4 * i] = m[4 * j] = c;
  m[3 * i + j] = -s;
  m[3 * j + i] = s;
  return m;
}

/** The product of two matrices: `b` is applied first. @param {Matrix} a @param {Matrix} b @returns {Matrix} */
export const multiply = (a, b) =>
  IDENTITY.map((_, n) => [0, 1, 2].reduce((sum, k) => sum + a[n - (n % 3) + k] * b[3 * k + (n % 3)], 0));

/** @param {Matrix} m @param {number[]} p @returns {Vec3} */
export const transform = (m, p) => [
  m[0] * p[0] + m[1] * p[1] + m[2] * p[2],
  m[3] * p[0] + m[4] * p[1] + m[5] * p[2],
  m[6] * p[0] + m[7] * p[1] + m[8] * p[2],
];

/** @param {number[]} a @param {number[]} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * The rotation that VisualCube's parameter `r` means: each pair is a rotation of the whole cube as by the moves x, y
 * and z, in degrees, in this order.
 *
 * @param {["x"|"y"|"z", number][]} rotations
 * @returns {Matrix}
 */
export const rotationOf = (rotations) =>
  rotations.reduce((m, [axis, degrees]) => multiply(rotation("xyz".indexOf(axis), -degrees), m), IDENTITY);

/**
 * Projects points of the cube (-1.5 to 1.5, x right, y up, z to the viewer) as VisualCube does. The cube's edge is the
 * unit of the result, x points right and y down, and the centre of the cube is the origin. VisualCube shows -0.9 to
 * 0.9 of it.
 *
 * @param {Vec3[]} points
 * @param {{rotations?: ["x"|"y"|"z", number][], distance?: number}} [options] defaults are VisualCube's, `y45x-34` and 5
 * @returns {Point[]}
 */
export const project = (
  points,
  {
    rotations = [
      ["y", 45],
      ["x", -34],
    ],
    distance = 5,
  } = {},
) => projectAll({ matrix: rotationOf(rotations), distance }, points);

/** @param {View} view @param {Vec3[]} points @returns {Point[]} */
export const projectAll = ({ matrix, distance }, points) =>
  points.map((point) => {
    const [x, y, z] = transform(matrix, point);
    const scale = distance / (3 * distance - z);
    return [x * scale, -y * scale];
  });

/** @param {View} view @returns {Vec3} the position of the eye in the space of the cube */
export const eyeOf = ({ matrix, distance }) => /** @type {Vec3} */ ([6, 7, 8].map((n) => 3 * distance * matrix[n]));

/** Half the width of a sticker, and the radius of its corners. */
const HALF = 0.44;
const RADIUS = 0.18;
/** Points of a round corner. More make no visible difference. */
const ROUND = 7;
/** Distance of a floating sticker from its face. */
const HEIGHT = 1.3;
/** The direction of the light: from the upper left, and from the viewer. */
const LIGHT = [-0.35, 0.75, 0.56];

/** Outlines of the stickers with round corners. @type {Vec3[][]} */
export const OUTLINES = STICKERS.map(({ center, corners }) => {
  const x = [0, 1, 2].map((i) => corners[1][i] - corners[0][i]);
  const y = [0, 1, 2].map((i) => corners[0][i] - corners[3][i]);
  return [...Array(4 * ROUND).keys()].map((n) => {
    const quadrant = Math.floor(n / ROUND);
    const angle = ((quadrant + (n % ROUND) / (ROUND - 1)) * Math.PI) / 2;
    const h = (quadrant === 1 || quadrant === 2 ? -1 : 1) * (HALF - RADIUS) + RADIUS * Math.cos(angle);
    const v = (quadrant < 2 ? 1 : -1) * (HALF - RADIUS) + RADIUS * Math.sin(angle);
    return /** @type {Vec3} */ ([0, 1, 2].map((i) => center[i] + h * x[i] + v * y[i]));
  });
});

/** The outlines of floating stickers. @type {Vec3[][]} */
const RAISED = OUTLINES.map((outline, index) => {
  const { normal } = STICKERS[index];
  return outline.map((point) => /** @type {Vec3} */ (point.map((value, i) => value + HEIGHT * normal[i])));
});

/** The six sides of a box. Side 2 a + 1 is the positive one of axis a. */
const SIDES = [...Array(6).keys()].map((side) => {
  const axis = side >> 1;
  const normal = /** @type {Vec3} */ ([0, 0, 0]);
  normal[axis] = side % 2 ? 1 : -1;
  return { axis, normal };
});

/** @typedef {{slab: number, from: number, to: number, turns: boolean}} Slab */

/**
 * The parts of the cube between planes, farthest first. The planes that cut off a turning layer are orthogonal to its
 * axis, so each part stays on its side of them, and this order is exact.
 *
 * @param {Turning} turning
 * @param {Vec3} eye
 * @returns {Slab[]}
 */
function slabsOf({ axis, layers }, eye) {
  /** @type {Slab[]} */
  const slabs = [];
  for (const layer of [-1, 0, 1]) {
    const turns = layers.includes(layer);
    const last = slabs.at(-1);
    if (last && last.turns === turns) last.to = layer + 0.5;
    else slabs.push({ slab: layer, from: layer - 0.5, to: layer + 0.5, turns });
  }
  const depth = (/** @type {Slab} */ s) => Math.max(s.from - eye[axis], eye[axis] - s.to, 0);
  return slabs.sort((a, b) => depth(b) - depth(a));
}

/**
 * The polygons of the cube, back to front: stickers by their index, and sides of the body from `BODY` on. Polygons
 * that face away are in the list with `front` false; they are hidden by the others, and need not be drawn.
 *
 * @param {View} view
 * @param {Turning} [turning]
 * @param {Vec3[][]} [outlines]
 * @param {boolean} [hints] whether stickers that face away float behind the cube
 * @returns {Polygon[]}
 */
export function polygons(view, turning = { axis: 0, layers: [], angle: 0 }, outlines = OUTLINES, hints = false) {
  const { axis, angle } = turning;
  const turnedView = { ...view, matrix: multiply(view.matrix, rotation(axis, angle)) };
  /** @type {Polygon[]} */
  const list = [];
  /** @type {Polygon[]} */
  const floating = [];
  for (const { slab, from, to, turns } of slabsOf(turning, eyeOf(view))) {
    const seen = turns ? turnedView : view;
    const eye = eyeOf(seen);
    const lightOf = (/** @type {Vec3} */ normal) => (1 + dot(LIGHT, transform(seen.matrix, normal))) / 2;
    for (const [k, side] of SIDES.entries()) {
      const corners = boxSide(side.axis, k % 2, axis, from, to);
      const front = dot(side.normal, eye) > dot(side.normal, corners[0]);
      const points = projectAll(seen, corners);
      list.push({ index: BODY + 6 * (slab + 1) + k, points, front, hint: false, turns, light: lightOf(side.normal) });
    }
    for (const [index, { center, normal }] of STICKERS.entries()) {
      if (layerAt(center[axis]) < from || layerAt(center[axis]) > to) continue;
      const front = dot(normal, eye) > 1.5;
      const hint = hints && !front;
      const points = projectAll(seen, hint ? RAISED[index] : outlines[index]);
      (hint ? floating : list).push({ index, points, front, hint, turns, light: lightOf(normal) });
    }
  }
  return [...floating, ...list];
}

/**
 * One side of the box that is cut from the cube between two planes.
 *
 * @param {number} side
 * @param {number} positive
 * @param {number} axis
 * @param {number} from
 * @param {number} to
 * @returns {Vec3[]}
 */
function boxSide(side, positive, axis, from, to) {
  const [low, high] = [0, 1].map((end) => [0, 1, 2].map((a) => (a === axis ? [from, to][end] : 3 * end - 1.5)));
  const [i, j] = [(side + 1) % 3, (side + 2) % 3];
  return [0, 1, 2, 3].map((n) => {
    const corner = [...low];
    corner[side] = (positive ? high : low)[side];
    corner[i] = (n === 1 || n === 2 ? high : low)[i];
    corner[j] = (n > 1 ? high : low)[j];
    return /** @type {Vec3} */ (corner);
  });
}
