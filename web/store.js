// @ts-check
// The state of the page, in one place. Modules change it with `set` and follow it with `subscribe`.

import { applyMoves, parseMoves } from "./cube/cube.js";
import { store as phrases } from "./sentences.js";

/** @typedef {import("./types").State} State */

export const COLOURS = /** @type {const} */ (["U", "R", "F", "D", "L", "B"]);
export const SOLVED = COLOURS.map((colour) => colour.repeat(9)).join("");

/** The scramble of the cube on the first screen. */
const EXAMPLE = "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B";

/** Palettes by the keys of their names. */
export const PALETTES = /** @satisfies {Record<string, import("./types").Palette>} */ ({
  standard: {
    U: "#ffffff",
    R: "#c41e3a",
    F: "#009b48",
    D: "#ffd500",
    L: "#ff5800",
    B: "#0046ad",
  },
  bright: {
    U: "#ffffff",
    R: "#f00000",
    F: "#00d800",
    D: "#ffff00",
    L: "#ff8c00",
    B: "#2266ff",
  },
  muted: {
    U: "#f2efe6",
    R: "#a8323e",
    F: "#4c8b57",
    D: "#e3c54a",
    L: "#d97b3d",
    B: "#3b5d94",
  },
  colourBlind: {
    U: "#ffffff",
    R: "#a51122",
    F: "#009e73",
    D: "#f0e442",
    L: "#e69f00",
    B: "#0072b2",
  },
});

/** @param {State} initial @returns {import("./types").Store} */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<(state: State, changed: Set<keyof State>) => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      const keys = /** @type {(keyof State)[]} */ (Object.keys(patch));
      const changed = new Set(keys.filter((key) => state[key] !== patch[key]));
      if (!changed.size) return;
      state = { ...state, ...patch };
      for (const listener of [...listeners]) listener(state, changed);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What makes the first screen. */
export const FIRST = { stickers: applyMoves(SOLVED, parseMoves(EXAMPLE)), example: true, scramble: EXAMPLE };

export const store = createStore({
  ...FIRST,
  palette: PALETTES.standard,
  turned: null,
  preview: null,
  symbols: false,
  hints: false,
  marks: [],
  cursor: null,
  solution: null,
  step: 0,
  playing: false,
  reveal: "all",
  mode: "solve",
  tab: "coordinates",
  coordinate: "",
  focus: null,
  painting: false,
  wanted: 0,
  longer: 0,
  solving: false,
  filled: null,
  comparing: false,
  lost: null,
  ready: true,
  progress: null,
  prover: null,
  online: true,
  message: phrases.welcome,
  problem: null,
});
