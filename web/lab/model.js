// @ts-check
// What the laboratory shows, without a document: rows of coordinates, places on the ring, the scale of charts, and sentences.

/** @import * as T from "./types" */

export const MOVES = [..."URFDLB"].flatMap((face) => [face, `${face}2`, `${face}'`]);

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });

/** @type {T.NumberText} */
export const short = (value) => (value < 1000 ? String(value) : compact.format(value));

/** @type {T.NumberText} */
export const full = (value) => value.toLocaleString("en");

/** @type {T.NumberText} */
export const numberOfMoves = (count) => `${count} move${count === 1 ? "" : "s"}`;

/** @param {T.Space} space */
function groupOf({ name, kind, group }) {
  if (name.startsWith("index_cube.")) return "IndexCube";
  if (kind === "sym") return "Kociemba, classes";
  return group === "ALL48" ? "For all 48 symmetries" : "Kociemba";
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
    const part = value.class === undefined ? "" : `class ${value.class} S${value.symmetry} `;
    const aliases = named?.aliases.map(({ system, name }) => `${system} ${name}`);
    const title = named ? groupOf(named) : "Composed, as in Nissy";
    add(
      title,
      value.name,
      `${value.value ?? "none"}`,
      size ? `${part}of ${size}` : part,
      `${named?.subgroup} ${aliases}`,
      value,
    );
  }
  const arrays = { cp: "corners", co: "corner twists", ep: "edges", eo: "edge flips" };
  for (const [name, note] of Object.entries(arrays)) add("Four arrays, by slot", name, cubies[name].join(" "), note);
  for (const { axis, inverse, phase_one_distance: first, phase_two_bound: second } of cube.directions ?? [])
    add(
      "Bounds by the tables, in six directions",
      axis + (inverse ? " inverse" : ""),
      `${second ?? first}`,
      `phase ${second === null ? 1 : 2}`,
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
  const all = `${full(total)} ${noun}, at most ${numberOfMoves(histogram.length - 1)} from solved; ${share(most)} at ${numberOfMoves(histogram.indexOf(most))}.`;
  return mark === null ? all : `${all} This one is at ${numberOfMoves(mark)}, like ${share(histogram[mark])}.`;
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
