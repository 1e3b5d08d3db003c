// Faults of cubes that are painted in part: every wrong piece is found, and no possible cube has a fault.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMoves, SOLVED } from "../../../web/cube/cube.js";
import { factOf, faultsOf } from "../../../web/cube/faults.js";
import { PALETTE } from "../../../web/cube/names.js";
import { RUF } from "../cubes.mjs";

/** @param {string} cube @param {Record<number, string>} changes by the number of the sticker */
const changed = (cube, changes) => [...cube].map((letter, at) => changes[at] ?? letter).join("");

/** Numbers of stickers by their names. @param {string} names */
const stickers = (names) => names.split(" ").map((name) => 9 * "URFDLB".indexOf(name[0]) + Number(name[1]) - 1);

/** @param {string} cube */
const found = (cube) => faultsOf(cube, PALETTE).map(({ code, stickers: at }) => [code, [...at].sort((a, b) => a - b)]);

test("a possible cube has no fault, whichever of its stickers are known", () => {
  let state = 1;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let n = 0; n < 200; n += 1) {
    const moves = Array.from({ length: 25 }, () => "URFDLB"[Math.floor(6 * random())]);
    const cube = applyMoves(SOLVED, moves);
    const known = [...cube].map((letter, at) => (at % 9 !== 4 && random() < n / 200 ? "?" : letter)).join("");
    assert.deepEqual(found(known), [], known);
  }
});

test("a piece that no cube has is found by its known stickers", () => {
  // White and yellow are opposite, two stickers of an edge differ, and the colours of a corner have one sense of rotation.
  assert.deepEqual(found(changed(SOLVED, { 0: "?", 7: "D", 19: "U" })), [["impossible_edge", stickers("U8 F2")]]);
  assert.deepEqual(found(changed(SOLVED, { 0: "?", 7: "F" })), [["impossible_edge", stickers("U8 F2")]]);
  assert.deepEqual(found(changed(SOLVED, { 0: "?", 9: "F", 20: "R" })), [["impossible_corner", stickers("U9 R1 F3")]]);
  // One known sticker of three fits somewhere.
  assert.deepEqual(found(changed(SOLVED, { 8: "?", 9: "F", 20: "?" })), []);
});

test("a piece that is recognised in two places is found in both", () => {
  const cube = changed(SOLVED, { 8: "?", 9: "L", 20: "F" });
  assert.deepEqual(found(cube), [["duplicate_corner", stickers("R1 F3 F7 D1 L9")]]);
  const [{ message }] = faultsOf(cube, PALETTE);
  assert.equal(message, "The corner with green, yellow and orange is in 2 places. Check R1, F3, F7, D1 and L9.");
});

test("a colour on more corners or edges than it has is found, before nine stickers are exceeded", () => {
  const blank = [...SOLVED].map((letter, at) => (at % 9 === 4 ? letter : "?")).join("");
  const corners = stickers("U1 U3 U7 F7 B9");
  const cube = changed(blank, Object.fromEntries(corners.map((at) => [at, "U"])));
  assert.deepEqual(found(cube), [["symbol_count", [...corners].sort((a, b) => a - b)]]);
  assert.deepEqual(found(changed(cube, { 0: "?" })), []);
});

test("the colours are those of the centres, however the cube is held", () => {
  const held = applyMoves(RUF, ["x", "y"]);
  assert.deepEqual(found(changed(held, { 0: "?" })), []);
  const edge = stickers("U8 F2");
  const wrong = changed(held, { 0: "?", [edge[0]]: held[22], [edge[1]]: held[22] });
  assert.deepEqual(found(wrong), [["impossible_edge", edge]]);
});

test("the fact names colours where their numbers are wrong, and otherwise the first violation", () => {
  const fact = (/** @type {string[]} */ codes, /** @type {string} */ cube) =>
    factOf(
      codes.map((code) => ({ code })),
      cube,
      PALETTE,
    );
  const wrong = changed(SOLVED, { 7: "B" });
  assert.equal(
    fact(["impossible_edge", "symbol_count"], wrong),
    "8 white and 10 blue stickers. There must be 9 of each colour.",
  );
  assert.equal(fact(["impossible_edge"], wrong), "One edge has a combination of colours that does not exist.");
  assert.equal(fact(["edge_flip"], SOLVED), "An edge is flipped in its place.");
  assert.equal(fact(["unknown"], SOLVED), "");
});
