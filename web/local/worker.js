// @ts-check
// The solver as WebAssembly, in a thread of its own: its first answer computes tables. Only builds with `BUILD_WASM` have the module.

import init, { convert, scramble, solve } from "./superflip_wasm.js";

/** Most moves of a solution. Each cube has one of 20, and these tables find 21 in milliseconds. */
const MOST = 21;

/** What the page may ask for. @type {Record<string, (...values: string[]) => string>} */
const functions = { convert, scramble, solve: (cube) => solve(cube, MOST, MOST, 10_000) };

/** @param {MessageEvent} event */
function call({ data: { number, name, values } }) {
  try {
    postMessage({ number, answer: functions[name](...values) });
  } catch (problem) {
    postMessage({ number, problem: typeof problem === "string" ? problem : "" });
  }
}

try {
  await init();
  addEventListener("message", call);
  postMessage({});
} catch {
  // The module was not loaded: the page has no solver.
  close();
}
