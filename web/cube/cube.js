// @ts-check
/**
 * The cube as 54 stickers in space. Every permutation is computed from where the stickers are; none is typed in.
 *
 * Space: x points right (R), y up (U), z to the viewer (F). The cube spans -1.5 to 1.5. Stickers are numbered by face
 * in the order U R F D L B, each face row by row as seen from outside, with B above U, F above D, and U above the four
 * sides.
 */

import { notation as phrases } from "../sentences.js";

/** @typedef {[number, number, number]} Vec3 */
/** @typedef {{face: string, row: number, column: number, center: Vec3, normal: Vec3, corners: Vec3[]}} Sticker */
/** @typedef {{axis: 0|1|2, layers: number[], quarters: number}} Layer */

export const FACES = "URFDLB";

export const SOLVED = [...FACES].map((face) => face.repeat(9)).join("");

/** Outward normal of each face, and the direction that is up when the face is looked at. */
const SIDES = /** @type {[string, Vec3, Vec3][]} */ ([
  ["U", [0, 1, 0], [0, 0, -1]],
  ["R", [1, 0, 0], [0, 1, 0]],
  ["F", [0, 0, 1], [0, 1, 0]],
  ["D", [0, -1, 0], [0, 0, 1]],
  ["L", [-1, 0, 0], [0, 1, 0]],
  ["B", [0, 0, -1], [0, 1, 0]],
]);

/** @param {Vec3} a @param {Vec3} b @returns {Vec3} */
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Corners of a sticker go clockwise as seen from outside, from the top left. @type {Sticker[]} */
export const STICKERS = SIDES.flatMap(([face, normal, up]) => {
  const right = cross(up, normal);
  /** @param {number} x to the right @param {number} y up @returns {Vec3} a point of the face */
  const at = (x, y) => /** @type {Vec3} */ ([0, 1, 2].map((i) => 1.5 * normal[i] + x * right[i] + y * up[i]));
  return [...Array(9).keys()].map((i) => {
    const row = Math.floor(i / 3);
    const column = i % 3;
    const [x, y] = [column - 1, 1 - row];
    const corners = [at(x - 0.5, y + 0.5), at(x + 0.5, y + 0.5), at(x + 0.5, y - 0.5), at(x - 0.5, y - 0.5)];
    return { face, row, column, center: at(x, y), normal, corners };
  });
});

const MOVE = /^(\d*)([URFDLBurfdlbMESmesxyz])(w?)(\d*)(['’′‘`-]?)$/;

/** The axis of a letter, the layer that it turns, and the quarters of a clockwise rotation about the positive axis. */
const LETTERS = /** @type {Record<string, [axis: 0|1|2, layer: number, quarters: number]>} */ ({
  ...{ U: [1, 1, -1], R: [0, 1, -1], F: [2, 1, -1], D: [1, -1, 1], L: [0, -1, 1], B: [2, -1, 1] },
  ...{ M: [0, 0, 1], E: [1, 0, 1], S: [2, 0, -1], x: [0, 2, -1], y: [1, 2, -1], z: [2, 2, -1] },
});

/**
 * Splits a text into moves in a normal form: `r` becomes `Rw`, `R3` becomes `R'`. Spaces are optional.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function parseMoves(text) {
  const tokens = text.match(/\d*[A-Za-z](?:w?)\d*['’′‘`-]?|\S/g) ?? [];
  return tokens.map(normalMove).filter((move) => move !== "");
}

/** @param {string} token */
function normalMove(token) {
  const parts = MOVE.exec(token);
  const fault = (/** @type {string} */ why) => new Error(phrases.wrong(JSON.stringify(token), why));
  if (!parts) throw fault(phrases.form);
  const [, depth, symbol, w, digits, prime] = parts;
  const turnsLayers = /[URFDLB]/i.test(symbol);
  const wide = turnsLayers && (w === "w" || symbol !== symbol.toUpperCase());
  if (w && symbol !== symbol.toUpperCase()) throw fault(phrases.wideAlready);
  if (w && !turnsLayers) throw fault(phrases.wideFace);
  if (depth && !(turnsLayers && (wide ? "23" : "123").includes(depth) && depth.length === 1))
    throw fault(phrases.depth);
  const letter = "xyz".includes(symbol) ? symbol : symbol.toUpperCase();
  const name = (depth === "1" || (wide && depth === "2") ? "" : depth) + letter + (wide ? "w" : "");
  const amount = (digits === "" ? 1 : Number(digits)) % 4;
  if (amount === 0) return "";
  if (amount === 2) return `${name}2${prime ? "'" : ""}`;
  return name + ((amount === 3) !== (prime !== "") ? "'" : "");
}

/** @param {string[]} moves @returns {string[]} */
export const invertMoves = (moves) =>
  moves.map((move) => (move.endsWith("'") ? move.slice(0, -1) : move.endsWith("2") ? move : `${move}'`)).reverse();

/**
 * The layers that a move turns, and by how many quarters about the positive axis by the right-hand rule.
 *
 * @param {string} move in the form of `parseMoves`
 * @returns {Layer}
 */
export function layerOf(move) {
  const parts = MOVE.exec(move);
  if (!parts) throw new Error(phrases.notAMove(JSON.stringify(move)));
  const [, depth, letter, wide, digits, prime] = parts;
  const [axis, layer, clockwise] = LETTERS[letter];
  const quarters = clockwise * (digits === "2" ? 2 : 1) * (prime ? -1 : 1);
  /** @type {number[]} */
  let layers;
  if (layer === 2) layers = [-1, 0, 1];
  else if (wide) layers = depth === "3" ? [-1, 0, 1] : layer === 1 ? [0, 1] : [-1, 0];
  else layers = [layer * (depth ? 2 - Number(depth) : 1)];
  return { axis, layers, quarters };
}

/**
 * A point turned by quarters about an axis, by the right-hand rule.
 *
 * @param {Vec3} point @param {0|1|2} axis @param {number} quarters @returns {Vec3}
 */
function turned(point, axis, quarters) {
  const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
  const result = /** @type {Vec3} */ ([...point]);
  for (let i = (quarters + 4) % 4; i > 0; i--) [result[b], result[c]] = [-result[c], result[b]];
  return result;
}

/** @param {Vec3} center */
const key = (center) => center.map((value) => value + 0).join();
const indexAt = new Map(STICKERS.map((sticker, index) => [key(sticker.center), index]));

/** @param {number} value a coordinate of a sticker's center @returns {number} its layer: -1, 0 or 1 */
export const layerAt = (value) => Math.round(Math.max(-1, Math.min(1, value)));

/** @type {Map<string, number[]>} */
const sources = new Map();

/** For every place, the place from which its sticker comes. @param {string} move */
function sourcesOf(move) {
  let from = sources.get(move);
  if (!from) {
    const { axis, layers, quarters } = layerOf(move);
    from = [...STICKERS.keys()];
    for (const [index, { center }] of STICKERS.entries())
      if (layers.includes(layerAt(center[axis])))
        from[/** @type {number} */ (indexAt.get(key(turned(center, axis, quarters))))] = index;
    sources.set(move, from);
  }
  return from;
}

/** @param {string} stickers @param {string} move @returns {string} */
export const applyMove = (stickers, move) =>
  sourcesOf(move)
    .map((from) => stickers[from])
    .join("");

/** @param {string} stickers @param {string[]} moves @returns {string} */
export const applyMoves = (stickers, moves) => moves.reduce(applyMove, stickers);

/**
 * The name of a move of one layer; empty for no move.
 *
 * @param {number} axis
 * @param {number} layer
 * @param {number} quarters
 */
export function moveOf(axis, layer, quarters) {
  const letter = ["LMR", "DEU", "BSF"][axis][layer + 1];
  const amount = (((quarters * layerOf(letter).quarters) % 4) + 4) % 4;
  return amount === 0 ? "" : letter + ["", "2", "'"][amount - 1];
}

const ALL_MOVES = [..."URFDLBMESxyz", "Uw", "Rw", "Fw", "Dw", "Lw", "Bw"].flatMap((name) => [
  name,
  `${name}'`,
  `${name}2`,
]);

/** The move that leads from one cube to another, if one does. @param {string} from @param {string} to */
export const moveBetween = (from, to) =>
  from === to ? null : (ALL_MOVES.find((move) => applyMove(from, move) === to) ?? null);
