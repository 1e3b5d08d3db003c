// What the laboratory shows: rows of coordinates, moves seen through a symmetry, scales, and sentences.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { applyMoves, SOLVED } from "../../../web/cube/cube.js";
import * as model from "../../../web/lab/model.js";

const { MOVES } = model;

/** Distances of the 2187 twists, as published by Kociemba: at most six moves. */
const TWIST = [1, 4, 34, 186, 816, 1018, 128];

/** Entries of a small catalogue, with the members that the table reads. */
const catalogue = {
  coordinates: [
    {
      name: "twist",
      kind: "raw",
      group: "UD16",
      size: 2187,
      subgroup: "all corners untwisted",
      aliases: [{ system: "Nissy", name: "coud" }],
    },
    {
      name: "corner_class",
      kind: "sym",
      group: "UD16",
      size: 44288,
      subgroup: "all corners in their slots",
      aliases: [],
    },
    { name: "index_cube.flip_x", kind: "raw", group: "RL16", size: 4096, subgroup: "edges oriented", aliases: [] },
    { name: "tetrads", kind: "raw", group: "ALL48", size: 70, subgroup: "corners in their tetrads", aliases: [] },
  ],
};
const cubies = { cp: [0, 1], co: [0, 0], ep: [2, 3], eo: [1, 0] };

/** @param {number | null} twist */
const groups = (twist, spaces = new Map()) =>
  model.groupsOf(
    catalogue,
    {
      coordinates: [
        { name: "twist", value: twist },
        { name: "corner_class", value: 7782, class: 486, symmetry: 6 },
        { name: "index_cube.flip_x", value: 15 },
        { name: "tetrads", value: 46 },
      ],
      directions: [
        { axis: "UD", inverse: false, phase_one_distance: 2, phase_two_bound: null },
        { axis: "RL", inverse: true, phase_one_distance: 0, phase_two_bound: 7 },
      ],
    },
    [{ name: "comp(twist,slice)", value: 585210 }],
    cubies,
    spaces,
  );

test("coordinates are in the groups of the five systems", () => {
  const shown = groups(1281).map(({ title, rows }) => [
    title,
    ...rows.map(({ name, text, note }) => `${name} = ${text} ${note}`.trim()),
  ]);
  assert.deepEqual(shown, [
    ["Kociemba", "twist = 1281 of 2187"],
    ["Kociemba, classes", "corner_class = 7782 class 486 S6 of 44288"],
    ["IndexCube", "index_cube.flip_x = 15 of 4096"],
    ["For all 48 symmetries", "tetrads = 46 of 70"],
    ["Composed, as in Nissy", "comp(twist,slice) = 585210"],
    ["Four arrays, by slot", "cp = 0 1 corners", "co = 0 0 corner twists", "ep = 2 3 edges", "eo = 1 0 edge flips"],
    ["Bounds by the tables, in six directions", "UD = 2 phase 1", "RL inverse = 7 phase 2"],
  ]);
  const known = new Map([["comp(twist,slice)", { size: 1082565 }]]);
  assert.equal(groups(1281, known)[4].rows[0].note, "of 1082565");
  assert.equal(groups(null)[0].rows[0].text, "none");
});

test("only rows with another text are marked", () => {
  assert.deepEqual([...model.changes(groups(1281), groups(0))], ["Kociemba twist"]);
  assert.equal(model.changes(groups(0), groups(0)).size, 0);
  assert.equal(model.changes([], groups(0)).size, 0);
});

test("the filter finds names, groups, subgroups and names of other programs", () => {
  const rows = groups(0).flatMap((group) => group.rows);
  const found = (/** @type {string} */ filter) =>
    rows.filter((row) => model.matches(row, filter)).map(({ name }) => name);
  assert.deepEqual(found("COUD"), ["twist"]);
  assert.deepEqual(found("nissy twist"), ["twist", "comp(twist,slice)"]);
  assert.deepEqual(found("untwisted"), ["twist"]);
  assert.deepEqual(found("four arrays"), ["cp", "co", "ep", "eo"]);
  assert.equal(found("").length, rows.length);
});

test("moves of the representative become those of the cube", () => {
  // The symmetry S of the cube after F R turns it about U, R to F. Its representative is S x S^-1, the cube after L F.
  const seen = MOVES.map((move) => move.replace(/[RFLB]/, (face) => ({ R: "F", F: "L", L: "B", B: "R" })[face]));
  const leads = (/** @type {string} */ move) => (move === "F'" ? "nearer" : "farther");
  const neighbours = MOVES.map((move, value) => ({
    move,
    value,
    distance: leads(move) === "nearer" ? 1 : 3,
    leads: leads(move),
  }));
  assert.equal(applyMoves(SOLVED, ["L", "F", "F'", "L'"]), SOLVED);
  const { neighbours: own, to_solved: way } = model.renamed({ neighbours, to_solved: "F' L'" }, seen);
  assert.equal(applyMoves(SOLVED, ["F", "R", ...way.split(" ")]), SOLVED);
  assert.deepEqual(
    own.map(({ move }) => move),
    MOVES,
  );
  assert.deepEqual(
    own.filter(({ leads }) => leads === "nearer").map(({ move, value }) => [move, value]),
    [["R'", MOVES.indexOf("F'")]],
  );
  assert.equal(model.renamed({ neighbours, to_solved: null }, seen).to_solved, null);
});

test("nearer moves are nearer to the center of the ring, and no two overlap", () => {
  const radius = (/** @type {string | null} */ leads) => {
    const places = MOVES.map((_, index) => model.place(index, leads));
    const distances = places.map(([x, y]) => Math.hypot(x - 50, y - 50));
    assert.ok(Math.max(...distances) - Math.min(...distances) < 1e-9);
    // A button of 28 pixels on a ring of 340.
    for (const [index, [x, y]] of places.entries())
      for (const [otherX, otherY] of places.slice(0, index)) assert.ok(Math.hypot(x - otherX, y - otherY) * 3.4 > 27.9);
    return distances[0];
  };
  assert.ok(radius("nearer") < radius("level") && radius("level") < radius("farther") && radius("farther") < 50);
  assert.equal(radius(null), radius("level"));
});

test("the logarithmic scale keeps the order of counts and shows a single one", () => {
  const heights = [0, 1, 2, 10, 1000, 1e9].map((count) => model.logHeight(count, 1e9));
  assert.deepEqual(
    heights,
    [...heights].sort((a, b) => a - b),
  );
  assert.equal(heights[0], 0);
  assert.ok(heights[1] > 0.02);
  assert.equal(heights.at(-1), 1);
  const steps = [1, 10, 100, 1000].map((count) => model.logHeight(count, 1e9));
  assert.ok(Math.abs(steps[3] - steps[2] - (steps[1] - steps[0])) < 1e-12);
});

test("ticks are powers of ten up to the greatest count", () => {
  assert.deepEqual(model.ticks(1), [1]);
  assert.deepEqual(model.ticks(1018), [1, 10, 100, 1000]);
  assert.deepEqual(model.ticks(999999), [1, 100, 10000]);
  for (let digits = 1; digits <= 20; digits += 1) {
    const ticks = model.ticks(Number(`1e${digits}`));
    assert.ok(ticks.length >= 2 && ticks.length <= 5, `1e${digits}`);
  }
});

test("a distribution is described in words", () => {
  assert.equal(model.describe(TWIST, "values", null), "2,187 values, at most 6 moves from solved; 47 % at 5 moves.");
  assert.equal(
    model.describe(TWIST, "values", 1),
    "2,187 values, at most 6 moves from solved; 47 % at 5 moves. This one is at 1 move, like 0.18 % of all.",
  );
});

test("numbers are short on bars", () => {
  assert.deepEqual([7, 128, 1018, 64430, 1199128738].map(model.short), ["7", "128", "1K", "64K", "1.2B"]);
});

test("phases of a solution are runs of moves", () => {
  const steps = (/** @type {(number | null)[]} */ phases) => phases.map((phase) => ({ phase }));
  assert.deepEqual(model.phases(steps([null, 1, 1, 1, 2, 2])), [
    { phase: 1, from: 1, to: 3 },
    { phase: 2, from: 4, to: 5 },
  ]);
  // A solution found on the inverse cube begins with phase 2.
  assert.deepEqual(
    model.phases(steps([null, 2, 1])).map(({ phase }) => phase),
    [2, 1],
  );
  assert.deepEqual(model.phases(steps([null])), []);
});

test("the files of the laboratory have at most 22 kB in gzip", () => {
  const folder = new URL("../../../web/lab/", import.meta.url);
  const files = readdirSync(folder).filter((file) => !file.endsWith(".d.ts"));
  const sizes = files.map((file) => gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(files.includes("lab.js") && total > 5000 && total <= 22_000, `${total} bytes`);
});
