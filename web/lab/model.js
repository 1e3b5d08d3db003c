// @ts-check
// What the laboratory shows, without a document: rows of coordinates, places on the ring, the scale of charts, and sentences.

import { numberOfMoves } from "../follow/words.js";
import { locale } from "../sentences.js";
import { labModel as phrases } from "../sentences.js";

/** @import * as T from "./types" */

export const MOVES = [..."URFDLB"].flatMap((face) => [face, `${face}2`, `${face}'`]);

const compact = new Intl.NumberFormat(locale, { notation: "compact", maximumSignificantDigits: 2 });

/** @type {T.NumberText} */
export const short = (value) => (value < 1000 ? String(value) : compact.format(value));

/** @type {T.NumberText} */
export const full = (value) => value.toLocaleString(locale);

/** @param {T.Space} space */
function groupOf({ name, kind, group }) {
  if (name.startsWith("index_cube.")) return "IndexCube";
  if (kind === "sym") return phrases.kociembaClasses;
  return group === "ALL48" ? phrases.forAll48Symmetries : phrases.kociemba;
}

/** @type {T.GroupsOf} */
export function groupsOf(catalogue, cube, composed, cubies, spaces) {
  /** @type {Map<string, T.Row[]>} */
  const groups = new Map();
  /** @type {T.AddRow} */
  const add = (title, name, text, note, words, open) => {
    const row = { key: `${title} ${name}`, name, text, note, words: `${title} ${name} ${words}`.toLowerCase(), open };
    groups.set(title, [...(groups.get(title) ?? []), row]);
  };
  for (const value of [...cube.coordinates, ...composed]) {
    const named = catalogue.coordinates.find(({ name }) => name === value.name);
    const size = (named ?? spaces.get(value.name))?.size;
    const part = value.class === undefined ? "" : `${phrases.class} ${value.class} S${value.symmetry} `;
    const aliases = named?.aliases.map(({ system, name }) => `${system} ${name}`);
    const title = named ? groupOf(named) : phrases.composedAsInNissy;
    add(
      title,
      value.name,
      `${value.value ?? phrases.none}`,
      size ? part + phrases.of(size) : part,
      `${named?.subgroup} ${aliases}`,
      value,
    );
  }
  const arrays = { cp: phrases.corners, co: phrases.cornerTwists, ep: phrases.edges, eo: phrases.edgeFlips };
  for (const [name, note] of Object.entries(arrays)) add(phrases.fourArraysBySlot, name, cubies[name].join(" "), note);
  for (const { axis, inverse, phase_one_distance: first, phase_two_bound: second } of cube.directions ?? [])
    add(
      phrases.directions,
      axis + (inverse ? phrases.inverse : ""),
      `${second ?? first}`,
      phrases.phase(second === null ? 1 : 2),
    );
  return [...groups].map(([title, rows]) => ({ title, rows }));
}

/** @type {T.Changes} */
export function changes(before, after) {
  const old = new Map(before.flatMap(({ rows }) => rows.map(({ key, text }) => [key, text])));
  const rows = after.flatMap((group) => group.rows);
  return new Set(rows.filter(({ key, text }) => (old.get(key) ?? text) !== text).map(({ key }) => key));
}

/** @type {T.Matches} */
export const matches = ({ words }, filter) =>
  filter
    .toLowerCase()
    .split(" ")
    .every((word) => words.includes(word));

/** @type {T.Renamed} */
export function renamed(answer, seen) {
  const neighbours = MOVES.map((move, index) => ({ ...answer.neighbours[MOVES.indexOf(seen[index])], move }));
  const way = answer.to_solved?.split(" ").map((move) => MOVES[seen.indexOf(move)]);
  return { ...answer, neighbours, to_solved: way?.join(" ") ?? null };
}

/** @type {T.Place} */
export function place(index, leads) {
  const radius = leads === "nearer" ? 27 : leads === "farther" ? 45 : 36;
  // The top is left to the names of the rings.
  const angle = (2 * Math.PI * (index + 1.5)) / (MOVES.length + 2);
  return [50 + radius * Math.sin(angle), 50 - radius * Math.cos(angle)];
}

/** @type {T.LogHeight} */
export const logHeight = (count, greatest) => (count ? Math.log(2 * count) / Math.log(2 * greatest) : 0);

/** @type {T.Ticks} */
export function ticks(greatest) {
  const stride = Math.ceil(String(greatest).length / 5);
  return [0, 1, 2, 3, 4].map((i) => 10 ** (i * stride)).filter((tick) => tick <= greatest);
}

/** @type {T.Describe} */
export function describe(histogram, noun, mark) {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  /** @type {T.NumberText} */
  const share = (count) => `${Number(((100 * count) / total).toPrecision(2))} %`;
  const most = Math.max(...histogram);
  const all = phrases.distribution(
    full(total),
    noun,
    numberOfMoves(histogram.length - 1),
    share(most),
    numberOfMoves(histogram.indexOf(most)),
  );
  return mark === null ? all : phrases.distributionWithMark(all, numberOfMoves(mark), share(histogram[mark]));
}

/** @type {T.Phases} */
export function phases(steps) {
  /** @type {ReturnType<T.Phases>} */
  const runs = [];
  for (const [index, { phase }] of steps.entries()) {
    const last = runs.at(-1);
    if (phase && last?.phase === phase) last.to = index;
    else if (phase) runs.push({ phase, from: index, to: index });
  }
  return runs;
}
