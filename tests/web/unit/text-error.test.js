// Errors of a text: counted from 1, in plain words, with the range to select.
import assert from "node:assert/strict";
import { test } from "node:test";
import { textError } from "../../../web/panels/text-error.js";

const EXPECTED = "expected a move (U R F D L B, Rw or r, 2R, M E S, x y z), `(` or `[`.";
/** @param {string} text @param {number} position @param {string} [detail] @param {string} [code] */
const error = (
  text,
  position,
  detail = `Read as scramble: at character ${position + 1}: found something, ${EXPECTED}`,
  code = "notation",
) => textError(text, { status: 422, code, detail, position });

test("a wrong move is named by its place from 1, and selected", () => {
  const { sentence, range } = error("R U Q", 4);
  assert.match(sentence, /^Character 5, `Q`, is not a move\. A move is U, R, F, D, L, B/);
  assert.doesNotMatch(sentence, /expected|found/);
  assert.deepEqual(range, [4, 5]);
});

test("the range is in the units of the text box", () => assert.deepEqual(error("😀 Q", 2).range, [3, 4]));

test("a detail that says what to write is shown", () => {
  const detail =
    "Read as scramble: at character 2: found `-`, expected a move. Write `'` for an inverse move, and spaces between moves.";
  assert.equal(error("R-U", 1, detail).sentence, detail.replace("Read as scramble: at", "At"));
});

test("numbers, brackets and spaces have sentences of their own", () => {
  assert.match(error("R7", 1).sentence, /^Character 2, `7`, is a number that does not fit\./);
  assert.match(error("R U)", 3).sentence, /^Character 4, `\)`, closes a bracket that was not opened\./);
  assert.match(error("R2'3 F", 4).sentence, /^Character 5 is a space inside a move\./);
});

test("a text that ends too early names the open bracket, and selects nothing", () => {
  assert.deepEqual(error("R [U, (F)", 9), {
    sentence: "The bracket `[` at character 3 is not closed. Write `]` where its group ends.",
    range: null,
  });
  assert.equal(error("R 2", 3).sentence, "The text ends too early, after character 3: a move is missing.");
});

test("other forms keep the sentence of the service, with places from 1", () => {
  const detail =
    "Read as reid: at character 4: found `DBX` as word 2, expected a corner of three letters, such as `UFR`.";
  assert.deepEqual(error("UF DBX", 3, detail, "unreadable_cube"), {
    sentence: "At character 4: found `DBX` as word 2, expected a corner of three letters, such as `UFR`.",
    range: [3, 6],
  });
  const whole = "A cube has 54 stickers, but 22 symbols were given.";
  assert.deepEqual(textError("UUU", { status: 422, code: "impossible_cube", detail: whole }), {
    sentence: whole,
    range: null,
  });
});
