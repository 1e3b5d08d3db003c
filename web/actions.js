// @ts-check
// What a user can do with the cube. Every change of the cube goes through here.

import { api } from "./api.js";
import { applyMove, applyMoves } from "./cube/cube.js";
import { faultsOf, onePerPiece } from "./cube/faults.js";
import { letterOf } from "./cube/names.js";
import { SOLVED, store } from "./store.js";
import { actions as phrases } from "./sentences.js";

/** @typedef {import("./types").State} State */

/** The cube as it is shown: after the moves that are made. */
export function shown(state = store.get()) {
  return state.solution ? applyMoves(state.stickers, state.solution.moves.slice(0, state.step)) : state.stickers;
}

/** Stickers that must change in a repair that is worth a button. */
export const NEAR = 4;

/** Indices of the six centres. */
export const CENTRES = [4, 13, 22, 31, 40, 49];

/** A cube of which only the centres are painted. @param {string} stickers */
export const blankOf = (stickers) => [...stickers].map((letter, at) => (CENTRES.includes(at) ? letter : "?")).join("");

/**
 * Writes stickers whose letters name faces in the colours of `own`, a cube with the same places and known centres.
 * @param {string} named @param {string} own
 */
export function inColoursOf(named, own) {
  const colour = new Map(CENTRES.map((index) => [named[index], own[index]]));
  return [...named].map((letter) => colour.get(letter) ?? letter).join("");
}

/**
 * Shows another cube. The old solution and the old problem go.
 * @param {string} stickers @param {Partial<State>} [patch]
 */
export function setCube(stickers, patch = {}) {
  store.set({
    stickers,
    example: false,
    turned: null,
    filled: null,
    comparing: false,
    scramble: stickers === SOLVED ? "" : null,
    solution: null,
    step: 0,
    marks: [],
    problem: null,
    message: "",
    playing: false,
    ...patch,
  });
}

/** Whether every face has one colour. @param {string} stickers */
export const isSolved = (stickers) => /^(?:(\w)\1{8}){6}$/.test(stickers);

/**
 * Whether the cube belongs to a solution that is being followed. Then a drag must not turn a layer: the solution would be lost. A cube
 * that was turned on the page can be turned again until the first step.
 * @param {State} state
 */
export const isFollowed = ({ mode, solution, step, turned }) =>
  mode === "solve" && solution !== null && step < solution.length && (step > 0 || turned === null);

/** Indices of the stickers that followed from the painted ones. @param {State} state */
export const filledOf = ({ filled }) => [...(filled ?? "")].flatMap((letter, at) => (letter === "?" ? [at] : []));

/** Whether a click on a sticker paints it. @param {State} state */
export const isPainting = ({ painting, mode }) => painting && mode === "solve";

/** Shows another cube and asks for its solution; a cube with errors is explained. @param {string} stickers @param {Partial<State>} [patch] */
export function openCube(stickers, patch = {}) {
  setCube(stickers, patch);
  return checkCube();
}

let check = new AbortController();

/**
 * Asks the service whether the shown cube can exist. Stickers that follow from the others are filled in, and a solution
 * is asked for. Otherwise the store gets the problem. A new check ends the one before.
 *
 * While the cube is painted, the user first compares the stickers that followed: a wrong painted sticker often leads to
 * another possible cube.
 */
export async function checkCube() {
  check.abort();
  const { signal } = (check = new AbortController());
  const { stickers, comparing: waits } = store.get();
  if (waits) return;
  const unpainted = stickers.split("?").length - 1;
  if (CENTRES.some((index) => stickers[index] === "?")) {
    const message = phrases.centresFirst;
    store.set({ problem: null, marks: [], message });
    return;
  }
  try {
    // Sentences of the service name the symbols that it was given, so they are those of the page.
    const { palette } = store.get();
    const facelets = stickers.replace(/\w/g, (colour) => letterOf(colour, palette));
    const answer = await api.get("/convert", { facelets, to: "facelets" }, { signal });
    if (store.get().stickers !== stickers) return;
    const whole = unpainted ? inColoursOf(answer.forms.facelets, stickers) : stickers;
    const comparing = unpainted > 0 && isPainting(store.get());
    const message = unpainted && !comparing ? phrases.othersFollow(unpainted) : store.get().message;
    const filled = unpainted ? stickers : null;
    store.set({ stickers: whole, filled, comparing, problem: null, marks: [], message });
    if (!comparing) solve();
  } catch (error) {
    if (!signal.aborted && store.get().stickers === stickers) setProblem(error);
  }
}

/** Asks follow/ for a solution, except where it would give away a scramble. */
export function solve() {
  if (store.get().mode === "solve") store.set({ wanted: store.get().wanted + 1 });
}

/** Whether a problem says that the service cannot answer now. The line under the header says so already. @param {import("./types").ProblemFields} problem */
export const isOutage = ({ status, code }) => status === 0 || code === "tables_not_ready";

/**
 * The stickers to mark: those of the only near repair of a whole cube. Otherwise one sticker of each wrong piece, or of each piece that
 * the only repairs change. A wrong count of a whole cube concerns all stickers of a colour, so it marks none: the counters show it.
 * @param {import("./types").ProblemFields} problem
 */
function marksOf({ violations = [], repairs }) {
  const isWhole = !store.get().stickers.includes("?");
  const hasCentres = !violations.some(({ code }) => code === "repeated_centre");
  if (isWhole && hasCentres && repairs?.total === "1" && repairs.distance <= NEAR) return repairs.repairs[0].changed;
  const wrong = violations
    .filter(({ code }) => !isWhole || code !== "symbol_count")
    .flatMap(({ stickers }) => stickers);
  const changes = repairs?.truncated ? [] : (repairs?.repairs ?? []).flatMap(({ changed }) => changed);
  return onePerPiece(wrong.length ? wrong : changes);
}

/** @param {any} error a `Problem` */
export function setProblem(error) {
  if (!error.fields) throw error;
  /** @type {import("./types").ProblemFields} */
  let problem = error.fields;
  if (isOutage(problem)) return;
  const { stickers, palette } = store.get();
  const left = stickers.split("?").length - 1;
  if (problem.code === "unknown_stickers" && left) {
    const message = left === 1 ? phrases.oneUnpainted : phrases.severalUnpainted(left);
    store.set({ problem: null, marks: [], message, solving: false });
    return;
  }
  const { violations = [] } = problem;
  if (violations.some(({ code }) => code === "no_completion"))
    problem = { ...problem, violations: [...faultsOf(stickers, palette), ...violations] };
  store.set({ problem, marks: marksOf(problem), solving: false });
}

/** Makes a move on the shown cube. The next move of the solution counts as a step; any other move makes another cube. @param {string} move */
export function makeMove(move) {
  const { preview } = store.get();
  if (preview?.scramble) setCube(preview.stickers, { scramble: preview.scramble });
  const state = store.get();
  if (state.solution && state.solution.moves[state.step] === move) return store.set({ step: state.step + 1 });
  const valid = !state.problem && !state.stickers.includes("?");
  const cube = applyMove(shown(state), move);
  if (!valid) return openCube(cube, { turned: move });
  const scramble = state.scramble !== null && !state.step ? `${state.scramble} ${move}`.trim() : null;
  setCube(cube, { scramble, turned: move });
  solve();
}
