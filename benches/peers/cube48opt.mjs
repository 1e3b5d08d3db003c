#!/usr/bin/env node
// Proves optimal solutions with a module of cubeopt-wasm on one thread: cube48opt.mjs MODULE
// Writes `table BYTES` when its table is built, and then, for each scramble in standard input, one line with the number of moves.
// The module prints no solution.
import { createInterface } from "node:readline";
import { dirname } from "node:path";

const [module] = process.argv.slice(2);
globalThis.navigator ??= { hardwareConcurrency: 1 };
// The module looks for its .wasm file here.
process.chdir(dirname(module));
let length = "";
const print = (text) => (length = /^Cube1 finished in (\d+),/.exec(text)?.[1] ?? length);
const solver = await (await import(module)).default({ print });
solver.init(1, 1);
console.log("table", Number(solver.get_table_size()));
for await (const scramble of createInterface({ input: process.stdin })) {
  length = "";
  solver.solve_scramble(`${scramble}\n`, 1, 1, 1);
  console.log(length);
}
