// @ts-check
/** A search that is under way: what the events of `/solve/stream` add up to. No document, no network. */
import { duration } from "./words.js";

/** @typedef {import("../types").Solution} Solution */
/**
 * @typedef {object} Run
 * @property {Solution|null} solution the shortest one so far
 * @property {number} lowerBound
 * @property {{length: number, elapsedUs: number}[]} found the lengths so far and when each was found
 * @property {boolean} done
 */

/** @param {Solution|null} [known] a solution that is already shown @returns {Run} */
export const begin = (known = null) => ({
  solution: known,
  lowerBound: known?.lowerBound ?? 0,
  found: [],
  done: false,
});

/**
 * The run after one event. Longer solutions and lower bounds than those known change nothing.
 *
 * @param {Run} run @param {string} event @param {any} data @returns {Run}
 */
export function advance(run, event, data) {
  const done = event === "result";
  const lowerBound = Math.max(run.lowerBound, data.lower_bound ?? 0);
  let { solution, found } = run;
  if (data.moves && (!solution || data.length < solution.length)) {
    found = [...found, { length: data.length, elapsedUs: data.elapsed_us }];
    solution = { moves: data.moves, length: data.length, lowerBound, proven: false, elapsedUs: data.elapsed_us };
  }
  const proven = Boolean(data.proven_optimal) || solution?.length === lowerBound;
  if (solution) solution = { ...solution, lowerBound, proven: solution.proven || proven };
  return { solution, lowerBound, found, done };
}

/** The course of a search: `20 at 1.5 ms`, then `20 → 19 at 1.6 ms`. @param {Run} run @returns {string[]} */
export const course = ({ found }) =>
  found.map(({ length, elapsedUs }, n) => `${n ? `${found[n - 1].length} → ` : ""}${length} at ${duration(elapsedUs)}`);
