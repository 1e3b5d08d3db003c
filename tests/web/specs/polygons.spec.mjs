// The drawings of the service and the page's cube are two programs: their stickers must have the same corners.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { before, test } from "node:test";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { STICKERS } from "../../../web/cube/cube.js";
import { project } from "../../../web/cube/geometry.js";

const root = new URL("../../../", import.meta.url).pathname;
const execute = promisify(execFile);
// `cargo test` builds the examples beside the program.
const folder = process.env.PROGRAM ? dirname(process.env.PROGRAM) : `${root}target/debug`;
const program = `${folder}/examples/polygons`;

// A hook has no time limit: the first build takes longer than a test may.
before(async () => {
  if (process.env.PROGRAM) return;
  const build = "build --locked --quiet --package superflip-picture --example polygons";
  await execute("cargo", build.split(" "), { cwd: root });
});

/** Part of a sticker's cell that a drawing of the service fills. */
const STICKER = 0.85;

/** The parameters `r` and `dist`. @type {[string, number][]} */
const VIEWS = [
  ["y45x-34", 5],
  ["x-90", 5],
  ["y180", 3],
  ["z17y-130x41", 2],
  ["x200z-75y33x5", 12],
  ["y-45x34z180", 100],
];

/** The rotations of a parameter `r`. @param {string} r @returns {["x"|"y"|"z", number][]} */
const rotationsOf = (r) => [...r.matchAll(/([xyz])(-?\d+)/g)].map(([, axis, degrees]) => [axis, Number(degrees)]);

/** Twice the area, positive if the points are clockwise on a screen whose y points down. @param {number[][]} points */
const area = (points) =>
  points.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = points[(i + 1) % points.length];
    return sum + x * nextY - nextX * y;
  }, 0);

for (const [r, distance] of VIEWS)
  test(`r=${r} dist=${distance}`, async () => {
    const { stdout } = await execute(program, [`r=${r}`, `dist=${distance}`]);
    /** @type {{facelet: number, points: number[][]}[]} */
    const drawn = JSON.parse(stdout);
    const cells = STICKERS.map(({ corners }) => project(corners, { rotations: rotationsOf(r), distance }));
    const visible = [...cells.keys()].filter((facelet) => area(cells[facelet]) > 1e-9);
    assert.deepEqual(
      drawn.map(({ facelet }) => facelet).sort((a, b) => a - b),
      visible,
    );
    for (const { facelet, points } of drawn) {
      const cell = cells[facelet];
      const middle = [0, 1].map((i) => (cell[0][i] + cell[2][i]) / 2);
      const expected = cell.map((corner) => corner.map((value, i) => middle[i] + STICKER * (value - middle[i])));
      const differences = points.flatMap((point, n) => point.map((value, i) => Math.abs(value - expected[n][i])));
      assert(Math.max(...differences) < 2e-6, `sticker ${facelet}: ${points} is not ${expected}`);
    }
  });
