// Compares the cube of the page with the cube of a service, for random scrambles with every kind of move.
// Usage: node tests/web/convert.mjs http://127.0.0.1:8080 [NUMBER] [SEED]
import assert from "node:assert/strict";
import { SOLVED, applyMoves, parseMoves } from "../../web/cube/cube.js";

const [service = "http://127.0.0.1:8080", number = "1000", seed = "1"] = process.argv.slice(2);

const FACES = [..."URFDLB"];
const NAMES = [
  ...FACES,
  ...FACES.map((face) => `${face}w`),
  ...FACES.map((face) => `3${face}w`),
  ...FACES.map((face) => `2${face}`),
  ...FACES.map((face) => face.toLowerCase()),
  ..."MESxyz",
];
const AMOUNTS = ["", "2", "'", "3", "2'"];

let state = Number(seed);
/** @template T @param {T[]} list */
const pick = (list) => list[(state = (state * 48271) % 2147483647) % list.length];

for (let n = 0; n < Number(number); n++) {
  const scramble = Array.from({ length: 1 + (n % 40) }, () => pick(NAMES) + pick(AMOUNTS)).join(" ");
  const query = new URLSearchParams({ cube: scramble, format: "scramble", to: "facelets" });
  const answer = await fetch(`${service}/convert?${query}`).then((response) => response.json());
  assert.equal(answer.forms?.facelets, applyMoves(SOLVED, parseMoves(scramble)), `${scramble}: ${answer.detail ?? ""}`);
}
console.log(`${number} scrambles lead to the same cubes.`);
