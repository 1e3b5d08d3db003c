// @ts-check
// Answers of this page in place of the service, while that is gone: it reads texts of moves and of stickers, solves cubes, and makes scrambles.

import { inColoursOf } from "../actions.js";
import { Problem } from "../api.js";
import { applyMoves, parseMoves } from "../cube/cube.js";
import { coloursOf, symbolsOf } from "../panels/read.js";
import { api as phrases } from "../sentences.js";
import { SOLVED } from "../store.js";

/**
 * Starts the solver. `api` gets it when it is loaded.
 * @param {import("../types").Api} api @param {string} address of the script that runs it
 */
export function mountLocal(api, address) {
  const worker = new Worker(address, { type: "module" });
  /** @type {((data: {answer?: string, problem?: string}) => void)[]} */
  const waiting = [];
  worker.addEventListener("message", ({ data }) => {
    if (data.number !== undefined) return waiting[data.number](data);
    api.local = answer;
    // For tests.
    document.documentElement.dataset.solves = "";
  });

  /** Calls a function of the solver. @param {string} name @param {string[]} values */
  async function call(name, ...values) {
    /** @type {{answer?: string, problem?: string}} */
    const { answer, problem } = await new Promise((resolve) => {
      worker.postMessage({ number: waiting.push(resolve) - 1, name, values });
    });
    if (answer !== undefined) return answer;
    if (problem) throw new Problem({ status: 422, ...JSON.parse(problem) });
    // The module has failed, for want of memory. Without it, the page waits for the service.
    api.local = null;
    throw new Problem({ status: 0, code: "offline", detail: phrases.theServiceDoesNotAnswer });
  }

  /** @type {import("../types").Local} */
  async function answer(path, fields) {
    const { facelets, cube, to, format } = fields;
    if (path === "/scramble") return Object.keys(fields).length ? null : { scrambles: [await call("scramble")] };
    if (path === "/convert" && (to !== "facelets" || format)) return null;
    if (path === "/convert") return facelets ? check(facelets) : read(cube);
    if (path !== "/solve/stream") return null;
    const started = performance.now();
    const found = JSON.parse(await call("solve", inColoursOf(facelets, SOLVED)));
    return { ...found, elapsed_us: 1000 * (performance.now() - started) };
  }

  /** Checks a cube without unknown stickers. @param {string} facelets */
  async function check(facelets) {
    if (facelets.includes("?")) return null;
    // In letters of faces, no other form fits.
    await call("convert", inColoursOf(facelets, SOLVED), "facelets");
    return { forms: { facelets } };
  }

  /** Reads moves and stickers. Other texts wait for the service. @param {string} text */
  async function read(text) {
    const cube = await call("convert", text, "facelets").catch(() => null);
    if (!cube) return null;
    // The solver does not say which form it has read.
    for (const format of ["facelets", "ulfrbd", "net", "digits", "scramble"]) {
      const facelets = format === "scramble" ? cubeAfter(text) : coloursOf(symbolsOf(text, format) ?? []);
      if (facelets && inColoursOf(facelets, cube) === cube) return { format, forms: { facelets } };
    }
    return null;
  }
}

/** The solved cube after moves; empty if the text is something else. @param {string} text */
function cubeAfter(text) {
  try {
    return applyMoves(SOLVED, parseMoves(text));
  } catch {
    return "";
  }
}
