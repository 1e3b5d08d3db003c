// The number of legal cubes with the known stickers, against counts that are known or found by exhaustion.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMoves, SOLVED } from "../../../web/cube/cube.js";
import { completions } from "../../../web/cube/completions.js";
import { RUF } from "../cubes.mjs";

/** @param {string} cube @param {string} names of the stickers that are not known */
const without = (cube, names) => {
  const unknown = names.split(" ").map((name) => 9 * "URFDLB".indexOf(name[0]) + Number(name[1]) - 1);
  return [...cube].map((letter, at) => (unknown.includes(at) ? "?" : letter)).join("");
};
const BLANK = [...SOLVED].map((letter, at) => (at % 9 === 4 ? letter : "?")).join("");

test("the centres alone leave all cubes", () => {
  assert.equal(completions(BLANK), 43252003274489856000);
  assert.equal(completions(applyMoves(BLANK, ["x", "y"])), 43252003274489856000);
});

test("a whole cube is one cube or none", () => {
  assert.equal(completions(RUF), 1);
  assert.equal(completions(applyMoves(RUF, ["z2", "y"])), 1);
  // A twisted corner, a flipped edge, two exchanged edges.
  const swapped = (/** @type {string} */ cube, /** @type {[number, number][]} */ pairs) => {
    const letters = [...cube];
    for (const [a, b] of pairs) [letters[a], letters[b]] = [letters[b], letters[a]];
    return letters.join("");
  };
  assert.equal(
    completions(
      swapped(SOLVED, [
        [8, 9],
        [9, 20],
      ]),
    ),
    0,
  );
  assert.equal(completions(swapped(SOLVED, [[7, 19]])), 0);
  assert.equal(
    completions(
      swapped(SOLVED, [
        [5, 7],
        [10, 19],
      ]),
    ),
    0,
  );
});

test("unknown pieces are counted with their orientations and their parity", () => {
  // One corner or one edge follows from the others. Two corners have three orientations together, and no exchange alone.
  assert.equal(completions(without(RUF, "U9 R1 F3")), 1);
  assert.equal(completions(without(RUF, "U8 F2")), 1);
  assert.equal(completions(without(SOLVED, "U9 R1 F3 U7 L3 F1")), 3);
  assert.equal(completions(without(SOLVED, "U8 F2 U6 R2")), 2);
  // With two corners and two edges both may be exchanged: 2 * 3 * 2.
  assert.equal(completions(without(SOLVED, "U9 R1 F3 U7 L3 F1 U8 F2 U6 R2")), 12);
});

test("centres that are unknown or equal decide nothing", () => {
  assert.equal(completions(without(SOLVED, "U5")), 0);
  assert.equal(completions(`${SOLVED.slice(0, 4)}R${SOLVED.slice(5)}`), 0);
});
