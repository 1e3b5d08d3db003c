// @ts-check
// What a user can do with the cube. Every change of the cube goes through here.

import { api } from "./api.js";
import { applyMove, applyMoves } from "./cube/cube.js";
import { store } from "./store.js";

/** @typedef {import("./types").State} State */

/** The cube as it is shown: after the moves that are made. */
export function shown(state = store.get()) {
  return state.solution ? applyMoves(state.stickers, state.solution.moves.slice(0, state.step)) : state.stickers;
}

/** Indices of the six centres. */
export const CENTRES = [4, 13, 22, 31, 40, 49];

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
  store.set({ stickers, scramble: null, solution: null, step: 0, marks: [], doubtful: [], problem: null, message: "", playing: false, ...patch });
}

/** Shows another cube and asks for its solution; a cube with errors is explained. @param {string} stickers @param {Partial<State>} [patch] */
export function openCube(stickers, patch = {}) {
  setCube(stickers, patch);
  return checkCube();
}

/**
 * Asks the service whether the shown cube can exist. Stickers that follow from the others are filled in, and a solution
 * is asked for. Otherwise the store gets the problem.
 */
export async function checkCube() {
  const { stickers } = store.get();
  const unpainted = stickers.split("?").length - 1;
  if (CENTRES.some((index) => stickers[index] === "?")) {
    const message = "Paint the six centres first. They say which colour each face gets.";
    store.set({ problem: null, marks: [], message });
    return;
  }
  try {
    const answer = await api.get("/convert", { facelets: stickers, to: "facelets" });
    if (store.get().stickers !== stickers) return;
    const whole = unpainted ? inColoursOf(answer.forms.facelets, stickers) : stickers;
    const doubtful = unpainted ? [...stickers].flatMap((letter, index) => (letter === "?" ? [index] : [])) : store.get().doubtful;
    const message = unpainted ? `The other ${unpainted} stickers follow from these.` : store.get().message;
    store.set({ stickers: whole, doubtful, problem: null, marks: [], message });
    solve();
  } catch (error) {
    if (store.get().stickers === stickers) setProblem(error);
  }
}

/** Asks follow/ for a solution, except where it would give away a scramble. */
export function solve() {
  if (store.get().mode === "solve") store.set({ wanted: store.get().wanted + 1 });
}

/** @param {any} error a `Problem` */
export function setProblem(error) {
  if (!error.fields) throw error;
  /** @type {import("./types").ProblemFields} */
  const problem = error.fields;
  const marks = [...new Set((problem.violations ?? []).flatMap((violation) => violation.stickers))];
  store.set({ problem, marks, solving: false });
}

/** Turns the shown cube. The next turn of the solution counts as a step; any other turn makes another cube. @param {string} move */
export function turnCube(move) {
  const state = store.get();
  if (state.solution && state.solution.moves[state.step] === move) return store.set({ step: state.step + 1 });
  const valid = !state.problem && !state.stickers.includes("?");
  const cube = applyMove(shown(state), move);
  if (!valid) return openCube(cube);
  const scramble = state.scramble !== null && !state.step ? `${state.scramble} ${move}`.trim() : null;
  setCube(cube, { scramble });
  solve();
}
