// @ts-check
// Builds the page: mounts the modules in their places and draws the store.

import { api } from "./api.js";
import { readHash, writeHash } from "./hash.js";
import { store } from "./store.js";

/** @param {string} id */
const place = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} path @returns {Promise<any>} */
const load = (path) => import(path).catch((error) => console.warn(path, error));

const { CubeView } = (await load("./cube/cube-view.js")) ?? {};
const { NetView } = (await load("./cube/net-view.js")) ?? {};
const { applyMoves, applyMove, parseMoves } = (await load("./cube/cube.js")) ?? {};
const { mountFollow } = (await load("./follow/follow.js")) ?? {};
const { mountInput } = (await load("./input.js")) ?? {};
const { mountPaint } = (await load("./paint.js")) ?? {};

const cubeView = CubeView && new CubeView(place("cube"));
const netView = NetView && new NetView(place("net"));

/** The cube as it is shown: after the moves that are made. */
export function shown(state = store.get()) {
  if (!state.solution || !applyMoves) return state.stickers;
  return applyMoves(state.stickers, state.solution.moves.slice(0, state.step));
}

function draw() {
  const state = store.get();
  for (const view of [cubeView, netView]) {
    if (!view) continue;
    view.setStickers(shown(state), state.palette);
    view.setMarks(state.marks);
    view.setSymbols(state.symbols);
    view.setHighlight?.(state.solution?.moves[state.step] ?? null);
  }
}

store.subscribe((state, changed) => {
  draw();
  if (changed.has("stickers") || changed.has("solution") || changed.has("step") || changed.has("mode"))
    history.replaceState(null, "", location.pathname + location.search + writeHash(state));
});

const start = readHash(location.hash);
if (start.stickers) store.set({ stickers: start.stickers, mode: start.mode, wanted: 1 });
mountInput?.(place("input"), { store, api });
mountPaint?.(place("paint"), { store, api, cubeView, netView });
mountFollow?.(place("follow"), { store, api, cubeView });

cubeView?.addEventListener("turn", (/** @type {CustomEvent} */ event) => {
  store.set({ stickers: applyMove(shown(), event.detail.move), solution: null, step: 0, marks: [], wanted: store.get().wanted + 1 });
});
api.addEventListener("ready", () => store.set({ ready: true, progress: null }));
api.addEventListener("progress", (event) => store.set({ ready: false, progress: /** @type {CustomEvent} */ (event).detail.progress }));
api.addEventListener("offline", () => store.set({ online: false }));
api.addEventListener("online", () => store.set({ online: true }));
void api.watchReady();
draw();
