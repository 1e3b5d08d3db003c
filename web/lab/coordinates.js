// @ts-check
// The table of all coordinates of the shown cube: grouped, filtered, with a mark on the values that a turn changed.

import { shown } from "../actions.js";
import { button, h } from "../dom.js";
import { createDetail } from "./detail.js";
import { changes, groupsOf, matches } from "./model.js";
import { channel, field, oneTabStop, speaker } from "./parts.js";

/** @import * as T from "./types" */

/** @param {T.Options} options */
export function createCoordinates({ store, api }) {
  /** @type {T.Catalogue | null} */
  let catalogue = null;
  /** @type {Map<string, T.Space>} */
  const spaces = new Map();
  /** Named coordinates and the four arrays of the cube. @type {[T.CubeAnswer, Record<string, number[]>] | null} */
  let cube = null;
  /** @type {string[] | null} */
  let names = null;
  /** @type {T.CubeValue[]} */
  let composed = [];
  /** @type {T.Group[]} */
  let groups = [];
  /** @type {Map<string, {row: T.Row, line: HTMLElement, value: HTMLElement, note: HTMLElement}>} */
  const lines = new Map();

  const { status, say } = speaker();
  const cubes = channel(api, say, 60);
  const { status: fault, say: sayFault } = speaker();
  const own = channel(api, sayFault);
  const detail = createDetail({ store, api }, spaces);

  const filter = h("input", {
    type: "search",
    placeholder: "Filter, such as nissy or twist",
    "aria-label": "Filter",
    oninput: sift,
  });
  const table = h("table", { class: "values", "aria-label": "Coordinates of the shown cube" });
  const tabStop = oneTabStop(table);
  const { input, form } = field("Compose", "Add", compose, { placeholder: "comp(twist,slice)" });

  /** @param {T.Row} row */
  function lineOf(row) {
    // A long name may break after these characters.
    const name = row.name.replace(/[_.,(]/g, "$&\u200b");
    const value = h("td");
    const note = h("small");
    const label = row.open ? button(name, () => openRow(row.key), { class: "link" }) : name;
    const line = h("tr", {}, h("th", { scope: "row" }, label, note), value);
    lines.set(row.key, { row, line, value, note });
    return line;
  }

  /** Hides the rows that the filter leaves out. */
  function sift() {
    for (const { row, line } of lines.values()) {
      line.hidden = !matches(row, filter.value);
      line.setAttribute("aria-current", String(row.open?.name === detail.name()));
    }
    for (const body of table.tBodies) body.hidden = ![...body.rows].slice(1).some((line) => !line.hidden);
    tabStop();
  }

  /** @param {string} key */
  function openRow(key) {
    const value = lines.get(key)?.row.open;
    if (value) detail.open(value);
    sift();
  }

  function draw() {
    if (!catalogue || !cube) return;
    const before = groups;
    groups = groupsOf(catalogue, cube[0], composed, cube[1], spaces);
    const rows = groups.flatMap((group) => group.rows);
    if (String(rows.map(({ key }) => key)) !== String([...lines.keys()])) {
      lines.clear();
      const head = (/** @type {string} */ title) => h("tr", {}, h("th", { colspan: 2, scope: "rowgroup" }, title));
      table.replaceChildren(...groups.map(({ title, rows }) => h("tbody", {}, head(title), ...rows.map(lineOf))));
    }
    const changed = changes(before, groups);
    for (const row of rows) {
      const line = lines.get(row.key);
      if (!line) continue;
      line.row = row;
      line.value.textContent = row.text;
      line.note.textContent = row.note;
      line.line.className = "";
      // Reading the layout starts the animation of a row anew.
      if (changed.has(row.key) && line.line.offsetTop >= 0) line.line.className = "changed";
    }
    const values = rows.flatMap(({ open }) => open ?? []);
    const same = values.find(({ name }) => name === detail.name());
    if (same) detail.follow(same);
    else if (!detail.name()) detail.open(values[0]);
    sift();
  }

  /** Asks for the coordinates of the shown cube, then for the composed ones, whose tables may have to be built. */
  function update() {
    const facelets = shown(store.get());
    cubes.run(
      async (ask) => {
        catalogue ??= await ask.get("/coords");
        return Promise.all([ask.post("/coords", { facelets }), ask.post("/convert", { facelets, to: ["cubies"] })]);
      },
      ([found, { forms }]) => {
        cube = [found, forms.cubies];
        names ??= /** @type {T.Catalogue} */ (catalogue).constructions.map(({ example }) =>
          example.replace("/coords/", ""),
        );
        draw();
        own.run(
          (ask) => ask.post("/coords", { facelets, names }),
          (/** @type {T.CubeAnswer} */ { coordinates }) => {
            composed = coordinates;
            draw();
          },
        );
      },
    );
  }

  /** Adds a coordinate, under the name that the service gives it. @param {string} expression */
  function compose(expression) {
    own.run(
      (ask) => ask.post("/coords", { facelets: shown(store.get()), names: [expression] }),
      (/** @type {T.CubeAnswer} */ { coordinates: [value] }) => {
        const known = catalogue?.coordinates.some(({ name }) => name === value.name);
        if (!known) names = [...new Set([...(names ?? []), value.name])];
        input.value = "";
        detail.open(value);
        update();
      },
    );
  }

  return {
    views: [h("div", {}, status, filter, h("div", { class: "scroll" }, table), form, fault), detail.element],
    update,
    stop() {
      for (const part of [cubes, own, detail]) part.stop();
    },
  };
}
