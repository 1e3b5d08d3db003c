// The pieces that the laboratory highlights for each coordinate.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SOLVED, applyMoves } from "../../../web/cube/cube.js";
import { piecesOf } from "../../../web/lab/pieces.js";

/** @param {string} name @param {string} [stickers] */
const list = (name, stickers = SOLVED) => [...piecesOf(name, stickers).stickers].sort((a, b) => a - b);

test("corners have 24 stickers, edges 24, a slice 8, and a layer 8", () => {
  const corners = [...Array(54).keys()].filter((index) => [0, 2, 6, 8].includes(index % 9));
  const edges = [...Array(54).keys()].filter((index) => [1, 3, 5, 7].includes(index % 9));
  assert.deepEqual(list("twist"), corners);
  assert.deepEqual(list("sym(corner_perm,UD16)"), corners);
  assert.deepEqual(list("index_cube.flip_x"), edges);
  assert.deepEqual(list("flip_slice"), edges);
  assert.equal(piecesOf("flip_slice", SOLVED).words, "all edges");
  assert.deepEqual(list("slice"), [12, 14, 21, 23, 39, 41, 48, 50]);
  assert.deepEqual(list("u_edges"), [1, 3, 5, 7, 10, 19, 37, 46]);
  assert.equal(list("ud_edges").length, 16);
  assert.deepEqual(
    list("comp(twist,slice)"),
    [...corners, ...list("slice")].sort((a, b) => a - b),
  );
  assert.equal(piecesOf("comp(twist,slice)", SOLVED).words, "all corners and the edges of the middle layer");
});

test("the pieces are found where they are, also after the whole cube is rotated", () => {
  // R takes the edge FR to UR.
  assert(list("slice", applyMoves(SOLVED, ["R"])).includes(5));
  assert(!list("slice", applyMoves(SOLVED, ["R"])).includes(14));
  assert.deepEqual(list("u_edges", applyMoves(SOLVED, ["y"])), list("u_edges"));
});
