// @ts-check
/** A search by `/solve/stream`, and what its events add up to. */
import { stream as phrases } from "../sentences.js";
import { duration, numberOfMoves } from "./words.js";

/** Time to look for shorter solutions, again for still shorter ones, and for a proof. @typedef {keyof typeof TIMES} Kind */
const TIMES = { first: 5000, longer: 30_000, proof: 60_000 };

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

/** The course of a search: `20 moves after 1.5 ms`, then `19 after 1.6 ms`. @param {Run} run @returns {string[]} */
export const course = ({ found }) =>
  found.map(({ length, elapsedUs }, n) => phrases.after(n ? length : numberOfMoves(length), duration(elapsedUs)));

/**
 * Looks for shorter and shorter solutions, or for a proof.
 *
 * @param {import("../types").Api} api
 * @param {string} facelets
 * @param {{kind: Kind, known: Solution|null, signal: AbortSignal, onRun(run: Run): void}} options
 * @returns {Promise<any>} the problem that ended it, if there is one
 */
export async function find(api, facelets, { kind, known, signal, onRun }) {
  let run = begin(known);
  /** @param {object} body */
  async function attempt(body) {
    /** @type {any} */
    let problem = null;
    /** @param {string} event @param {any} data */
    function onEvent(event, data) {
      if (event === "problem") problem = { fields: data };
      else onRun((run = advance(run, event, data)));
    }
    await api.stream("/solve/stream", body, { signal, onEvent }).catch((error) => (problem = error));
    return problem;
  }
  const body = kind === "proof" ? { facelets, optimal: true } : { facelets };
  const problem = await attempt({ ...body, time_limit_ms: TIMES[kind] });
  // The operator may allow less time. Then the service's own default applies.
  if (problem?.fields?.code === "option_out_of_range") return attempt(body);
  if (!problem || kind !== "first" || run.solution) return problem;
  try {
    const { solution, ...rest } = advance(run, "result", await api.instead(problem, "/solve/stream", body));
    onRun({ ...rest, solution: solution && { ...solution, isLocal: true } });
    return null;
  } catch (error) {
    return error;
  }
}
