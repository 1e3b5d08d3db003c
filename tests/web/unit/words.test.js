// Moves in words, and what the events of a search add up to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { STICKERS, applyMove } from "../../../web/cube/cube.js";
import { advance, begin, course } from "../../../web/follow/stream.js";
import { describe, duration, hint, numberOfMoves } from "../../../web/follow/words.js";

test("moves are described as they are held", () => {
  const known = {
    R: "Turn the right face clockwise",
    "U'": "Turn the top face counterclockwise",
    B2: "Turn the back face twice",
    "Lw'": "Turn the two layers at the left counterclockwise, as seen from the left",
    M: "Turn the slice between left and right clockwise, as seen from the left",
    "2R2": "Turn the slice next to the right face twice",
    "y'": "Rotate the whole cube counterclockwise, as seen from the top",
    "3Fw": "Rotate the whole cube clockwise, as seen from the front",
  };
  for (const [move, words] of Object.entries(known)) assert.equal(describe(move), words, move);
});

test("the hint says where the edge that is seen goes", () => {
  assert.equal(hint("R"), "Its front edge moves up");
  assert.equal(hint("F"), "Its top edge moves to the right");
  assert.equal(hint("D2"), "");
  // The same by following one sticker of the layer.
  const labels = [...Array(54).keys()].map((index) => String.fromCharCode(0x100 + index)).join("");
  const directions = { up: [1, 1], down: [1, -1], "to the right": [0, 1], "to the left": [0, -1] };
  for (const letter of "URFDLBMES")
    for (const move of [letter, `${letter}'`]) {
      const [, face, direction] = /Its (front|top) edge moves (.*)/.exec(hint(move)) ?? [];
      const after = applyMove(labels, move);
      const from = STICKERS.findIndex(
        ({ face: at }, index) => at === { front: "F", top: "U" }[face] && after[index] !== labels[index],
      );
      const to = after.indexOf(labels[from]);
      const [axis, sign] = directions[direction];
      assert(sign * (STICKERS[to].center[axis] - STICKERS[from].center[axis]) > 0, move);
    }
});

test("numbers are short", () => {
  assert.equal(numberOfMoves(1), "1 move");
  assert.equal(numberOfMoves(20), "20 moves");
  assert.equal(duration(1525), "1.5 ms");
  assert.equal(duration(354987), "355 ms");
  assert.equal(duration(1339871), "1.3 s");
});

test("a search gets shorter, then ends with a bound", () => {
  const moves = (/** @type {number} */ length) => Array(length).fill("R");
  let run = begin();
  run = advance(run, "lower_bound", { lower_bound: 11, elapsed_us: 553 });
  assert.equal(run.solution, null);
  run = advance(run, "solution", { moves: moves(20), length: 20, elapsed_us: 1469 });
  assert.deepEqual(run.solution, { moves: moves(20), length: 20, lowerBound: 11, proven: false, elapsedUs: 1469 });
  run = advance(run, "solution", { moves: moves(18), length: 18, elapsed_us: 354987 });
  run = advance(run, "lower_bound", { lower_bound: 14, elapsed_us: 1339871 });
  const shown = run.solution;
  run = advance(run, "result", {
    moves: moves(18),
    length: 18,
    lower_bound: 14,
    proven_optimal: false,
    elapsed_us: 3e6,
  });
  assert.deepEqual(run.solution, shown);
  assert(run.done);
  assert.deepEqual(course(run), ["20 moves after 1.5 ms", "18 after 355 ms"]);
});

test("a proof keeps the solution that is shown", () => {
  const known = { moves: ["R", "U", "F"], length: 3, lowerBound: 2, proven: false, elapsedUs: 20 };
  let run = advance(begin(known), "solution", { moves: ["F", "U", "R"], length: 3, elapsed_us: 30 });
  assert.deepEqual(run.solution, known);
  run = advance(run, "result", {
    moves: ["F", "U", "R"],
    length: 3,
    lower_bound: 3,
    proven_optimal: true,
    elapsed_us: 40,
  });
  assert.deepEqual(run.solution, { ...known, lowerBound: 3, proven: true });
  run = advance(begin({ ...known, lowerBound: 3 }), "lower_bound", { lower_bound: 1, elapsed_us: 1 });
  assert.equal(run.lowerBound, 3);
});
