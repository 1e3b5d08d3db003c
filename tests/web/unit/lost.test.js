// Which explanation of a cube that looks different is likely, and its words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { likely, wordsOf } from "../../../web/follow/lost.js";

const of = (/** @type {number[]} */ ...slips) => slips.map((number) => ({ slips: number, facelets: "", ways: [[]] }));

test("an explanation is likely if no other has as few wrong turns", () => {
  assert.equal(likely({ explanations: of(1, 2, 2), truncated: true })?.slips, 1);
  assert.equal(likely({ explanations: of(0, 1), truncated: false }), null, "the user says that something is wrong");
  assert.equal(likely({ explanations: of(2), truncated: false })?.slips, 2);
  assert.equal(likely({ explanations: of(2), truncated: true }), null);
  assert.equal(likely({ explanations: of(2, 2), truncated: false }), null);
  assert.equal(likely({ explanations: [], truncated: false }), null);
});

test("a wrong turn is told with its number and what it turns", () => {
  const slip = { number: 7, sent: "R2", made: "R", kind: /** @type {const} */ ("half_made") };
  assert.equal(
    wordsOf(slip),
    "You turned once in move 7, R2 (turn the right face twice): you made R (turn the right face clockwise).",
  );
  assert.equal(
    wordsOf({ ...slip, made: null, kind: "missed" }),
    "You left out move 7, R2 (turn the right face twice).",
  );
});
