// @ts-check
// The pieces that a coordinate describes, by its name, so that they can be highlighted on the cube.

import { layerAt, STICKERS } from "../cube/cube.js";
import { pieces as phrases } from "../sentences.js";

/** Stickers of each piece: of a corner three, of an edge two, of a centre one. @type {Map<string, number[]>} */
const PIECES = new Map();
for (const [index, { center }] of STICKERS.entries()) {
  const place = center.map(layerAt).join();
  PIECES.set(place, [...(PIECES.get(place) ?? []), index]);
}

const CENTRES = /** @type {Record<string, number>} */ ({ U: 4, R: 13, F: 22, D: 31, L: 40, B: 49 });

const ALL_CORNERS = phrases.allCorners;
const ALL_EDGES = phrases.allEdges;

/**
 * For each kind of coordinate: a pattern for its name, words for its pieces, the number of stickers of a piece, faces of
 * which a piece has a colour, and faces of which it has none.
 *
 * @type {[name: RegExp, words: string, size: number, within: string, without: string][]}
 */
const RULES = [
  [/twist|corner|tetrads/, ALL_CORNERS, 3, "", ""],
  [/flip|edge_perm|edge_slices|index_cube.edges/, ALL_EDGES, 2, "", ""],
  [/(^|[(,])slice|flip_slice/, phrases.middleEdges, 2, "", "UD"],
  [/ud_edges/, phrases.outerEdges, 2, "UD", ""],
  [/(^|[(,])u_edges/, phrases.topEdges, 2, "U", ""],
  [/(^|[(,])d_edges/, phrases.bottomEdges, 2, "D", ""],
];

/**
 * Stickers of the pieces that a coordinate describes, and words for the pieces.
 *
 * @param {string} name of a coordinate, which may be composed
 * @param {string} stickers of the cube
 */
export function piecesOf(name, stickers) {
  const rules = RULES.filter(([pattern]) => pattern.test(name));
  const has = (/** @type {number[]} */ piece, /** @type {string} */ faces) =>
    [...faces].some((face) => piece.some((index) => stickers[index] === stickers[CENTRES[face]]));
  const found = rules.flatMap(([, , size, within, without]) =>
    [...PIECES.values()].filter(
      (piece) => piece.length === size && (!within || has(piece, within)) && !has(piece, without),
    ),
  );
  const words = rules.map(([, text]) => text);
  const isWhole = words.includes(ALL_EDGES);
  return {
    stickers: new Set(found.flat()),
    words: words.filter((text) => !isWhole || text === ALL_EDGES || text === ALL_CORNERS).join(phrases.and),
  };
}
