// The schedule of a robot as moves of the page, which solve the cube as it is held in the robot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { applyMoves, parseMoves, SOLVED } from "../../../web/cube/cube.js";
import { played } from "../../../web/tools/schedule.js";

/** @param {string} action @param {string | null} turn @param {string} holding */
const step = (action, turn, holding) => ({ action, turn, moves: [], holding, cost: 1, total: 1 });

test("turns and rotations follow each other, with the names of their actions", () => {
  // The example of docs/machines.md: F D with a robot that turns its bottom layer and flips the front down.
  const schedule = [
    step("flip", null, "BU"),
    step("D", "D", "BU"),
    step("flip", null, "DB"),
    step("flip", null, "FD"),
    step("flip", null, "UF"),
    step("D", "D", "UF"),
  ];
  const { moves, actions } = played(schedule);
  assert.deepEqual(moves, ["x'", "D", "x'", "x'", "x'", "D"]);
  assert.deepEqual(actions, ["flip", "D", "flip", "flip", "flip", "D"]);
  const cube = applyMoves(SOLVED, parseMoves("D' F'"));
  assert.equal(applyMoves(cube, moves), SOLVED);
});

test("an action without a move is named with the next one, and at the end with the last one", () => {
  const schedule = [
    step("grip", null, "UF"),
    step("U D'", "U D'", "UF"),
    step("let go", null, "UF"),
    step("roll", "R", "FD"),
    step("rest", null, "FD"),
  ];
  const { moves, actions } = played(schedule);
  assert.deepEqual(moves, ["U", "D'", "R", "x"]);
  assert.deepEqual(actions, ["grip, U D'", "grip, U D'", "let go, roll", "let go, roll, rest"]);
});

test("every holding is reached from every other one", () => {
  const rotations = [..."xyz"].flatMap((axis) => [axis, `${axis}2`, `${axis}'`]);
  const seen = new Set(["UF"]);
  for (const a of ["", ...rotations])
    for (const b of ["", ...rotations]) {
      const cube = applyMoves(SOLVED, [a, b].filter(Boolean));
      const holding = cube[4] + cube[22];
      seen.add(holding);
      const there = played([step("a", null, holding)]).moves;
      assert.equal(applyMoves(SOLVED, there), cube, holding);
      const { moves } = played([step("a", null, holding), step("b", null, "UF")]);
      assert.equal(applyMoves(SOLVED, moves), SOLVED, holding);
    }
  assert.equal(seen.size, 24);
});
