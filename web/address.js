// @ts-check
// Keeps the address of the browser in sync with the page, and restores the state that an address describes.

import { checkCube, isSolved, setCube } from "./actions.js";
import { applyMoves, parseMoves } from "./cube/cube.js";
import { readHash, writeHash } from "./hash.js";
import { store } from "./store.js";

/** Milliseconds between two changes of the address. Browsers throttle frequent ones. */
const PAUSE = 250;

/** The time of the last change. */
let written = -PAUSE;
let timer = 0;

/** The address of what is shown. */
export const address = (state = store.get()) =>
  location.origin + location.pathname + location.search + writeHash(state);

/** Writes the address into the current entry of the history. Entries by the page have a state, entries by the user have none. */
function write() {
  clearTimeout(timer);
  timer = 0;
  written = performance.now();
  history.replaceState({}, "", address());
}

function writeSoon() {
  if (!timer) timer = window.setTimeout(write, Math.max(0, written + PAUSE - performance.now()));
}

/** The state that the address describes. @type {(keyof import("./types").State)[]} */
const FIELDS = ["stickers", "solution", "step", "mode", "tab", "coordinate"];

/** Whether the mode changes because the user went back or forward. */
let travels = false;
let before = store.get();
store.subscribe((state, changed) => {
  if (changed.has("mode") && !travels) {
    // Changes until now belong to the old entry.
    history.replaceState({}, "", address(before));
    history.pushState({}, "", address(state));
    written = performance.now();
  } else if (FIELDS.some((field) => changed.has(field))) writeSoon();
  before = state;
});

/** Shows the mode of the address. */
function openMode() {
  const { mode, tab, coordinate } = readHash(location.hash);
  travels = true;
  store.set({ mode, ...(mode === "lab" ? { tab, coordinate } : {}) });
  travels = false;
}

/** Shows the cube of the address. @param {{write(text: string): Promise<void>}} box reads texts */
async function open(box) {
  openMode();
  const { stickers, text, solution, least, step } = readHash(location.hash);
  if (text !== null) return box.write(text);
  if (stickers === null) return;
  setCube(stickers, { painting: stickers.includes("?") });
  const moves = movesOf(solution);
  if (!moves || !isSolved(applyMoves(stickers, moves))) return checkCube();
  const { length } = moves;
  const lowerBound = Math.min(least, length);
  store.set({
    solution: { moves, length, lowerBound, proven: least === length, elapsedUs: 0 },
    step: Math.min(step, length),
  });
}

/** @param {string | null} text */
function movesOf(text) {
  try {
    return text === null ? null : parseMoves(text);
  } catch {
    return null;
  }
}

/** Opens the address, and follows its changes. @param {{write(text: string): Promise<void>}} box */
export function mountAddress(box) {
  addEventListener("popstate", ({ state }) => {
    if (!state) return void open(box);
    // The user went back or forward: the mode changes, and the cube stays.
    openMode();
    write();
  });
  addEventListener("pagehide", () => timer && write());
  return open(box);
}
