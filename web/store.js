// @ts-check
// The state of the page, in one place. Modules change it with `set` and follow it with `subscribe`.

/** @typedef {import("./types").State} State */

export const COLOURS = /** @type {const} */ (["U", "R", "F", "D", "L", "B"]);
export const SOLVED = COLOURS.map((colour) => colour.repeat(9)).join("");

/** @type {Record<string, import("./types").Palette>} */
export const PALETTES = {
  Standard: { U: "#ffffff", R: "#d0021b", F: "#00a651", D: "#ffd500", L: "#ff7a00", B: "#0051ba" },
};

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

export const store = createStore({
  stickers: SOLVED,
  palette: PALETTES.Standard,
  symbols: false,
  marks: [],
  doubtful: [],
  cursor: null,
  solution: null,
  step: 0,
  mode: "solve",
  painting: false,
  wanted: 0,
  solving: false,
  ready: true,
  progress: null,
  online: true,
  message: "",
  problem: null,
});
