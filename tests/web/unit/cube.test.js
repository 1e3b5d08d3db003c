// The cube of the page against facts about the cube that are published elsewhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  SOLVED,
  STICKERS,
  applyMove,
  applyMoves,
  invertMoves,
  layerOf,
  moveBetween,
  moveOf,
  parseMoves,
} from "../../../web/cube/cube.js";

/** @param {string} text @param {string} [from] */
const after = (text, from = SOLVED) => applyMoves(from, parseMoves(text));

/** Every sticker is different, so that no two permutations look alike. */
const LABELS = [...Array(54).keys()].map((index) => String.fromCharCode(0x100 + index)).join("");

/** @param {string} text @param {string} start */
function order(text, start) {
  let cube = after(text, start);
  let times = 1;
  while (cube !== start) {
    cube = after(text, cube);
    times += 1;
  }
  return times;
}

test("maneuvers have their known orders", () => {
  for (const move of "URFDLBMESxyz") assert.equal(order(move, LABELS), 4, move);
  for (const move of ["Uw", "Rw", "Fw", "Dw", "Lw", "Bw"]) assert.equal(order(move, LABELS), 4, move);
  const known = [
    ["R U R' U'", 6],
    ["R U", 105],
    ["R U'", 63],
    ["R U2 D' B D'", 1260],
    ["R2 U2", 6],
    ["R U R' U' R' F R2 U' R' U' R U R' F'", 2],
    ["F R U' R' U' R U R' F' R U R' U' R' F R F'", 2],
    ["M2 U M2 U2 M2 U M2", 2],
  ];
  for (const [text, times] of known) assert.equal(order(text, SOLVED), times, text);
});

test("a known cube has its known facelets", () => {
  assert.equal(after("R U F"), "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB");
  assert.equal(after("F"), "UUUUUULLLURRURRURRFFFFFFFFFRRRDDDDDDLLDLLDLLDBBBBBBBBB");
  // After a rotation, each letter stands for the face whose centre has it.
  const held = after("x R U2 R' M2");
  const named = [...held].map(
    (letter) => "URFDLB"[[4, 13, 22, 31, 40, 49].findIndex((centre) => held[centre] === letter)],
  );
  assert.equal(named.join(""), "BUDBUDBUBLRRLRRLRRDFDBFDBBDUDFUDUUDURRRLLLLLLFBUFBFFFF");
});

test("the superflip flips the twelve edges and nothing else", () => {
  const flipped = after("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", LABELS);
  const away = STICKERS.flatMap((_, index) => (flipped[index] === LABELS[index] ? [] : [index]));
  assert.equal(away.length, 24);
  for (const index of away) {
    const other = STICKERS[LABELS.indexOf(flipped[index])];
    const { center, normal } = STICKERS[index];
    const cubie = center.map((value, i) => value - 0.5 * normal[i]);
    assert.deepEqual(
      cubie,
      other.center.map((value, i) => value - 0.5 * other.normal[i]),
    );
    assert.equal(cubie.filter((value) => value === 0).length, 1);
  }
});

test("slices, wide moves and rotations agree with face moves", () => {
  const same = [
    ["M", "R L' x'"],
    ["E", "U D' y'"],
    ["S", "F' B z"],
    ["Rw", "L x"],
    ["Uw", "D y"],
    ["Fw", "B z"],
    ["Lw", "R x'"],
    ["Dw", "U y'"],
    ["Bw", "F z'"],
    ["2R", "M'"],
    ["2L", "M"],
    ["3Rw", "x"],
    ["x y x'", "z"],
    ["R2'", "R2"],
  ];
  for (const [left, right] of same) assert.equal(after(left, LABELS), after(right, LABELS), `${left} = ${right}`);
});

test("a maneuver and its inverse cancel", () => {
  const moves = parseMoves("R U2 F' Rw M2' x 2D Bw' S y2 E' L3");
  assert.equal(applyMoves(applyMoves(LABELS, moves), invertMoves(moves)), LABELS);
});

test("unpainted stickers and turned centres move like others", () => {
  assert.equal(applyMove("?".repeat(54), "R"), "?".repeat(54));
  assert.equal(after("x")[4], "F");
});

test("moves are read in every usual spelling", () => {
  assert.deepEqual(parseMoves("RU2r'3Rw x2  2R M’ R3 R4 F- U2'"), [..."R U2 Rw' 3Rw x2 2R M' R' F' U2'".split(" ")]);
  assert.deepEqual(parseMoves("  "), []);
  for (const [text, part] of [
    ["R Q", '"Q"'],
    ["4R", '"4R"'],
    ["Mw", '"Mw"'],
    ["rw", '"rw"'],
    ["R (U)", '"("'],
  ])
    assert.throws(() => parseMoves(text), { message: new RegExp(part.replace("(", "\\(")) }, text);
});

test("layers turn about the positive axis by the right-hand rule", () => {
  assert.deepEqual(layerOf("R"), { axis: 0, layers: [1], quarters: -1 });
  assert.deepEqual(layerOf("L"), { axis: 0, layers: [-1], quarters: 1 });
  assert.deepEqual(layerOf("Dw2"), { axis: 1, layers: [-1, 0], quarters: 2 });
  assert.deepEqual(layerOf("z'"), { axis: 2, layers: [-1, 0, 1], quarters: 1 });
  for (const move of ["R", "M'", "L2", "U", "E", "D'", "F2", "S", "B"]) {
    const { axis, layers, quarters } = layerOf(move);
    assert.equal(moveOf(axis, layers[0], quarters), move);
  }
  assert.equal(moveOf(0, 1, 4), "");
  assert.equal(moveOf(0, 1, 3), "R");
});

test("the move between two cubes is found", () => {
  const cube = after("R U F2 D' L");
  for (const move of ["U'", "R2", "M", "Fw'", "y"]) assert.equal(moveBetween(cube, applyMove(cube, move)), move);
  assert.equal(moveBetween(cube, after("R U", cube)), null);
  assert.equal(moveBetween(cube, cube), null);
});
