// The piece to turn on a real cube that no moves can solve.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMoves, SOLVED } from "../../../web/cube/cube.js";
import { remedyOf } from "../../../web/cube/remedy.js";
import { RUF } from "../cubes.mjs";

/** The letters at the places go round. @param {string} cube @param {number[]} places */
const round = (cube, places) => {
  const letters = [...cube];
  for (const [n, at] of places.entries()) letters[places[(n + 1) % places.length]] = cube[at];
  return letters.join("");
};
/** U9, R1, F3 is clockwise as seen from outside; D1, L9, F7 is a corner that other moves change. */
const URF = [8, 9, 20];
const DLF = [27, 44, 24];

test("the twisted corner of a cube that is otherwise solved is found, with its direction", () => {
  for (const corner of [URF, DLF]) {
    const once = remedyOf(round(SOLVED, corner));
    assert.deepEqual([...(once?.slot ?? [])].sort(), [...corner].sort());
    assert.equal(once?.isClockwise, false);
    assert.equal(once?.cube, SOLVED);
    const twice = remedyOf(round(round(SOLVED, corner), corner));
    assert.equal(twice?.isClockwise, true);
    assert.equal(twice?.cube, SOLVED);
  }
});

test("a flipped edge is found, and a possible cube or exchanged pieces have no remedy", () => {
  assert.deepEqual(remedyOf(round(SOLVED, [7, 19]))?.slot, [7, 19]);
  assert.equal(remedyOf(round(SOLVED, [7, 19]))?.cube, SOLVED);
  const exchanged = round(round(SOLVED, [5, 7]), [10, 19]);
  assert.equal(remedyOf(exchanged), null);
});

test("of a scrambled cube with a twisted corner a corner makes it possible", () => {
  const mixed = applyMoves(RUF, ["L2", "B", "D'", "R", "U"]);
  const remedy = remedyOf(round(mixed, DLF));
  assert.equal(remedy?.slot.length, 3);
  assert.notEqual(remedy?.cube, mixed);
});
