// Texts of cubes in the caller's colours, and the address of the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMoves, SOLVED } from "../../../web/cube/cube.js";
import { inColoursOf } from "../../../web/actions.js";
import { readHash, writeHash } from "../../../web/hash.js";
import { coloursOf, readCube, symbolsOf, visible } from "../../../web/panels/read.js";
import { store } from "../../../web/store.js";
import { FORMS, RUF } from "../cubes.mjs";

test("stickers in every order are brought into the order U R F D L B", () => {
  const forms = /** @type {[string, string][]} */ ([
    ["facelets", FORMS.facelets],
    ["facelets", FORMS.colours],
    ["ulfrbd", FORMS.ULFRBD],
    ["net", FORMS.net],
    ["digits", FORMS.digits],
  ]);
  for (const [form, text] of forms) assert.equal(coloursOf(symbolsOf(text, form) ?? []), RUF, text);
  assert.equal(symbolsOf(FORMS.scramble, "scramble"), null);
  assert.equal(symbolsOf(RUF.slice(1), "facelets"), null);
});

test("letters of colours and of faces keep their meaning, other symbols are those of their centres", () => {
  const held = applyMoves(SOLVED, ["x", "R", "U"]);
  assert.equal(coloursOf([...held]), held);
  const names = /** @type {Record<string, string>} */ ({ U: "w", R: "r", F: "g", D: "y", L: "o", B: "b" });
  assert.equal(coloursOf([...held].map((letter) => names[letter])), held);
  const symbols = /** @type {Record<string, string>} */ ({ U: "1", R: "2", F: "3", D: "4", L: "5", B: "6" });
  assert.equal(coloursOf([...RUF].map((letter) => symbols[letter])), RUF);
  assert.equal(coloursOf([..."?".repeat(54)]), "?".repeat(54));
});

test("an answer in letters of faces gets the caller's colours", () => {
  // A cube with other opposite colours than the usual ones: red on top, white at the right.
  const own = RUF.replace(/[UR]/g, (letter) => (letter === "U" ? "R" : "U"));
  assert.equal(inColoursOf(RUF, own), own);
  const partial = own.slice(0, 9) + "?" + own.slice(10);
  assert.equal(inColoursOf(RUF, partial), own);
});

test("the address holds the cube, the solution and the step", () => {
  const moves = ["F'", "U2", "R'"];
  const solution = { moves, length: 3, lowerBound: 2, proven: false, elapsedUs: 1 };
  for (const stickers of [RUF, `?${RUF.slice(1)}`, SOLVED]) {
    const hash = writeHash({ ...store.get(), stickers, example: false, solution, step: 2, mode: "lab" });
    assert.match(hash, /^#[A-Za-z0-9=&_-]+$/);
    const read = readHash(hash);
    assert.equal(read.stickers, stickers);
    assert.deepEqual([read.mode, read.step, read.least], ["lab", 2, 2]);
    assert.equal(read.solution?.replaceAll("-", "'"), moves.join(" "));
  }
  // The cube of the first screen is not in the address.
  assert.equal(writeHash(store.get()), "");
});

test("an address may name a cube in any form", () => {
  assert.deepEqual(readHash("#cube=R_U_F'").text, "R U F'");
  assert.equal(readHash(`#cube=${encodeURIComponent(FORMS["alg.cubing.net"])}`).text, FORMS["alg.cubing.net"]);
  assert.deepEqual(readHash("#step=-4&mode=nonsense"), readHash(""));
});

test("characters that cannot be seen are left out, and other spaces are spaces", () => {
  assert.equal(visible("\ufeffR\u00a0U\u200b\u2060 F\u00ad\u202f\nL\u2019"), "R U F \nL\u2019");
  assert.equal(visible("\u2b1c\ufe0f\u{1f7e5}"), "\u2b1c\u{1f7e5}");
});

test("a text that is too long for a request is refused without one", async () => {
  for (const text of ["R U F' L ".repeat(40_000), "\u4e00".repeat(5000), "\ud800".repeat(40_000)])
    await assert.rejects(
      readCube(text),
      /^Error: The text has [\d,]+ characters, too many for a cube\. Paste the scramble/,
    );
});
