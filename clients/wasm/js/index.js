// The solver in this process, without a service. The first call computes its tables.
import init, * as native from "./superflip_wasm.js";
import { SuperflipError } from "../dist/index.js";

const file = new URL("./superflip_wasm_bg.wasm", import.meta.url);
// node does not fetch files.
const module_or_path = file.protocol === "file:" ? await (await import("node:fs/promises")).readFile(file) : file;
await init({ module_or_path });

/** Calls a function of the module, and throws its problem as an error of the client. */
function called(work) {
  try {
    return work();
  } catch (error) {
    if (typeof error !== "string") throw error;
    throw new SuperflipError(JSON.parse(error));
  }
}

export function solve(cube, { targetLength = 21, maxLength = 30, timeLimitMs = 10_000 } = {}) {
  return JSON.parse(called(() => native.solve(cube, targetLength, maxLength, timeLimitMs)));
}

export function scramble() {
  return called(() => native.scramble());
}

export function convert(cube, form) {
  return called(() => native.convert(cube, form));
}

export function draw(cube, { view = "" } = {}) {
  return called(() => native.draw(cube, view));
}
