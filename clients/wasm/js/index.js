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

/** Maximum length of a text, in characters. */
const MAX_TEXT = 100_000;

/** The module itself reads any value as a text or a number. */
function refuse(detail) {
  throw new SuperflipError({ code: "invalid_field", title: "Invalid field", status: 400, detail });
}

function text(name, value) {
  if (typeof value !== "string") refuse(`\`${name}\` is not a text: write a string`);
  if (value.length > MAX_TEXT) refuse(`\`${name}\` has ${value.length} characters; the maximum is ${MAX_TEXT}`);
  return value;
}

function integer(name, value, max) {
  if (!Number.isInteger(value) || value < 0 || value > max) refuse(`\`${name}\` is not an integer from 0 to ${max}`);
  return value;
}

export function solve(cube, { targetLength = 21, maxLength = 30, timeLimitMs = 10_000, ...others } = {}) {
  for (const name in others) refuse(`\`${name}\` is no option: there are targetLength, maxLength and timeLimitMs`);
  const lengths = [integer("targetLength", targetLength, 30), integer("maxLength", maxLength, 30)];
  const limit = integer("timeLimitMs", timeLimitMs, 3_600_000);
  return JSON.parse(called(() => native.solve(text("cube", cube), ...lengths, limit)));
}

export function scramble() {
  return called(() => native.scramble());
}

export function convert(cube, form) {
  return called(() => native.convert(text("cube", cube), text("form", form)));
}

export function draw(cube, { view = "" } = {}) {
  return called(() => native.draw(text("cube", cube), text("view", view)));
}
