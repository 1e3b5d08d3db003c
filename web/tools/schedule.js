// @ts-check
// The schedule of a robot as moves on the page: its turns, and how it moves the whole cube. Pure functions, without a document.

import { applyMoves, parseMoves, SOLVED } from "../cube/cube.js";

/** @typedef {{action: string, turn: string | null, moves: string[], holding: string, cost: number, total: number}} Step */

const ROTATIONS = [..."xyz"].flatMap((axis) => [axis, `${axis}2`, `${axis}'`]);

/** The faces that are on top and in front, after rotations of a cube. @param {string[]} rotations */
function holdingAfter(rotations) {
  const cube = applyMoves(SOLVED, rotations);
  return cube[4] + cube[22];
}

/** Rotations that lead to each holding, as few as possible. @type {Map<string, string[]>} */
const WAYS = new Map();
for (const way of [[], ...ROTATIONS.map((one) => [one]), ...ROTATIONS.flatMap((a) => ROTATIONS.map((b) => [a, b]))])
  if (!WAYS.has(holdingAfter(way))) WAYS.set(holdingAfter(way), way);

/**
 * The rotations between two holdings.
 * @param {string[]} before rotations that led to the first holding @param {string} holding the second
 */
const rotationsTo = (before, holding) =>
  [...WAYS.values()].find((way) => holdingAfter([...before, ...way]) === holding) ?? [];

/**
 * The moves of a schedule as they are seen in the robot, each with the actions that cause it. An action that moves nothing, such as a
 * grip, is named with the next move.
 *
 * @param {Step[]} schedule
 */
export function played(schedule) {
  /** @type {string[]} */
  const moves = [];
  /** @type {string[]} */
  const actions = [];
  /** @type {string[]} */
  let waiting = [];
  /** Rotations so far. @type {string[]} */
  let rotations = [];
  for (const { action, turn, holding } of schedule) {
    const turned = turn ? parseMoves(turn) : [];
    const rotated = rotationsTo(rotations, holding);
    rotations = WAYS.get(holding) ?? rotations;
    waiting.push(action);
    const made = [...turned, ...rotated];
    if (!made.length) continue;
    moves.push(...made);
    actions.push(...made.map(() => waiting.join(", ")));
    waiting = [];
  }
  // What is left, such as letting go, belongs to the last move.
  if (waiting.length && actions.length) actions.push([actions.pop(), ...waiting].join(", "));
  return { moves, actions };
}
