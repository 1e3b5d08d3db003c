// @ts-check
/** Moves described in words, relative to the way the cube is held. */
import { layerOf } from "../cube/cube.js";
import { words as say } from "../sentences.js";

const FACES = /** @type {Record<string, string>} */ ({
  ...{ U: say.top, D: say.bottom, F: say.front, B: say.back, L: say.left, R: say.right },
  ...{ M: say.left, E: say.bottom, S: say.front }, // the faces that the slices follow
  ...{ x: say.right, y: say.top, z: say.front }, // and those that rotations follow
});

const SLICES = /** @type {Record<string, string>} */ ({
  M: say.sliceBetweenLeftAndRight,
  E: say.sliceBetweenTopAndBottom,
  S: say.sliceBetweenFrontAndBack,
});

/** Where a clockwise rotation about the positive axis takes the part of the layer that is seen first, by axis. */
const DIRECTIONS = [
  [say.front, say.down, say.up],
  [say.front, say.toTheRight, say.toTheLeft],
  [say.top, say.toTheLeft, say.toTheRight],
];

/** @param {string} move */
const partsOf = (move) => {
  const [, depth, letter, wide] = /** @type {RegExpExecArray} */ (/^(\d?)([A-Za-z])(w?)/.exec(move));
  return { depth, letter, wide: wide !== "" };
};

/** Whether a move turns the whole cube. @param {string} move */
export function isRotation(move) {
  const { depth, letter, wide } = partsOf(move);
  return "xyz".includes(letter) || (wide && depth === "3");
}

/** What a move turns, such as `the right face`. @param {string} move */
function subject(move) {
  const { depth, letter, wide } = partsOf(move);
  const face = FACES[letter];
  if (isRotation(move)) return say.wholeCube;
  if (SLICES[letter]) return SLICES[letter];
  if (wide) return say.twoLayers(face);
  if (depth === "2") return say.nextSlice(face);
  if (depth === "3") return say.oppositeFace(face);
  return say.face(face);
}

/**
 * A move as an instruction: `Turn the right face clockwise`.
 *
 * @param {string} move
 * @returns {string}
 */
export function describe(move) {
  const { letter, depth, wide } = partsOf(move);
  const rotates = isRotation(move);
  const what = subject(move);
  if (move.includes("2", depth.length)) return (rotates ? say.rotateTwice : say.turnTwice)(what);
  const clockwise = rotates ? say.rotateClockwise : say.turnClockwise;
  const counterclockwise = rotates ? say.rotateCounterclockwise : say.turnCounterclockwise;
  const instruction = (move.endsWith("'") ? counterclockwise : clockwise)(what);
  const plain = !wide && depth === "" && "URFDLB".includes(letter);
  return plain ? instruction : say.seenFrom(instruction, FACES[letter]);
}

/**
 * Which way the layer moves where it is seen: `Its front edge moves up`. Empty for a half turn, which ends alike in
 * both ways.
 *
 * @param {string} move
 * @returns {string}
 */
export function hint(move) {
  const { axis, quarters } = layerOf(move);
  if (Math.abs(quarters) === 2) return "";
  const [part, positive, negative] = DIRECTIONS[axis];
  return (isRotation(move) ? say.faceMoves : say.edgeMoves)(part, quarters > 0 ? positive : negative);
}

/** A number of moves. */
export const numberOfMoves = say.moves;

/** A time in the unit that suits it. @param {number} microseconds */
export function duration(microseconds) {
  const [value, unit] = microseconds < 1e6 ? [microseconds / 1e3, "ms"] : [microseconds / 1e6, "s"];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}
