// @ts-check
/** Moves described in words, relative to the way the cube is held. */
import { layerOf } from "../cube/cube.js";

const FACES = /** @type {Record<string, string>} */ ({
  ...{ U: "top", D: "bottom", F: "front", B: "back", L: "left", R: "right" },
  ...{ M: "left", E: "bottom", S: "front" }, // the faces that the slices follow
  ...{ x: "right", y: "top", z: "front" }, // and those that rotations follow
});

const BETWEEN = /** @type {Record<string, string>} */ ({
  M: "left and right",
  E: "top and bottom",
  S: "front and back",
});

/** Where a clockwise rotation about the positive axis takes the part of the layer that is seen first, by axis. */
const DIRECTIONS = [
  ["front", "down", "up"],
  ["front", "to the right", "to the left"],
  ["top", "to the left", "to the right"],
];

/** @param {string} move */
const partsOf = (move) => {
  const [, depth, letter, wide] = /** @type {RegExpExecArray} */ (/^(\d?)([A-Za-z])(w?)/.exec(move));
  return { depth, letter, wide: wide !== "" };
};

/** What a move turns, such as `the right face`. @param {string} move */
function subject(move) {
  const { depth, letter, wide } = partsOf(move);
  const face = FACES[letter];
  if ("xyz".includes(letter) || (wide && depth === "3")) return "the whole cube";
  if (BETWEEN[letter]) return `the slice between ${BETWEEN[letter]}`;
  if (wide) return `the two layers at the ${face}`;
  if (depth === "2") return `the slice next to the ${face} face`;
  if (depth === "3") return `the face opposite to the ${face} face`;
  return `the ${face} face`;
}

/**
 * A move as an instruction: `Turn the right face clockwise`.
 *
 * @param {string} move
 * @returns {string}
 */
export function describe(move) {
  const { letter, depth, wide } = partsOf(move);
  const what = subject(move);
  const verb = what === "the whole cube" ? "Rotate" : "Turn";
  if (move.includes("2", depth.length)) return `${verb} ${what} twice`;
  const direction = move.endsWith("'") ? "counterclockwise" : "clockwise";
  const plain = !wide && depth === "" && "URFDLB".includes(letter);
  return `${verb} ${what} ${direction}${plain ? "" : `, as seen from the ${FACES[letter]}`}`;
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
  const edge = `Its ${part} ${subject(move) === "the whole cube" ? "face" : "edge"}`;
  return `${edge} moves ${quarters > 0 ? positive : negative}`;
}

/** A number of moves. @param {number} number */
export const numberOfMoves = (number) => `${number} ${number === 1 ? "move" : "moves"}`;

/** A time in the unit that suits it. @param {number} microseconds */
export function duration(microseconds) {
  const [value, unit] = microseconds < 1e6 ? [microseconds / 1e3, "ms"] : [microseconds / 1e6, "s"];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}
