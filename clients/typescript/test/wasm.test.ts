// The solver as WebAssembly, without a service.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { SuperflipError } from "superflip";
import { convert, draw, scramble, solve } from "superflip/wasm";

test("a cube in any form is solved", () => {
  const solution = solve("R U F");
  assert.deepEqual(solution.moves, ["F'", "U'", "R'"]);
  assert.equal(solution.proven_optimal, true);
  const hard = solve("UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB", { targetLength: 22 });
  // The superflip needs 20 moves.
  assert.ok(hard.length >= 20 && hard.length <= 22);
});

test("scrambles are random and solutions solve them", () => {
  const [first, second] = [scramble(), scramble()];
  assert.notEqual(first, second);
  const { solution } = solve(first);
  assert.equal(convert(`${first} ${solution}`, "facelets"), convert("U U'", "facelets"));
});

test("faults are errors of the client", () => {
  const twisted = "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
  assert.throws(
    () => solve(twisted),
    (error: unknown) =>
      error instanceof SuperflipError && error.code === "impossible_cube" && /twists/.test(error.message),
  );
  assert.throws(() => convert("R U F", "b33"), { name: "SuperflipError" });
});

test("values of another type, and out of range, are refused", () => {
  // JavaScript has no types that would find them.
  const any = { solve, convert, draw } as any;
  const calls: [() => unknown, RegExp][] = [
    [() => any.solve(5), /`cube` is not a text/],
    [() => any.solve([]), /`cube` is not a text/],
    [() => any.solve("x".repeat(200_000)), /`cube` has 200000 characters/],
    [() => any.convert("R", 5), /`form` is not a text/],
    [() => any.draw("R", { view: 7 }), /`view` is not a text/],
    [() => solve("R", { targetLength: 276 }), /`targetLength` is not an integer from 0 to 30/],
    [() => solve("R", { maxLength: -1 }), /`maxLength` is not an integer from 0 to 30/],
    [() => any.solve("R", { timeLimitMs: "a" }), /`timeLimitMs` is not an integer/],
    [() => any.solve("R", { targetlength: 20 }), /`targetlength` is no option/],
  ];
  for (const [call, message] of calls) assert.throws(call, { name: "SuperflipError", code: "invalid_field", message });
});

test("cubes are written and drawn", () => {
  assert.equal(convert("R U F", "b32"), "GETVSBAH=ZFCXBAGLYTKE=A");
  assert.match(draw("R U F", { view: "plan" }), /^<svg/);
});

test("the example of the README runs", async () => {
  const [, text] = (await readFile(process.env.README!, "utf8")).split("\n## Without a service");
  const [, code] = /^```js\n([\s\S]*?)^```/m.exec(text!)!;
  let printed: unknown[] = [];
  const run = new Function("convert", "draw", "scramble", "solve", "console", code!.replace(/^import .*$/gm, ""));
  run(convert, draw, scramble, solve, { log: (...values: unknown[]) => (printed = values) });
  assert.deepEqual(printed.slice(0, 2), ["F' U' R'", 3]);
});
