// @ts-check
// The table of all coordinates of the shown cube: grouped, filtered, with a mark on the values that a move changed.

import { shown } from "../actions.js";
import { button, h } from "../dom.js";
import { createDetail } from "./detail.js";
import { changes, groupsOf, matches } from "./model.js";
import { piecesOf } from "./pieces.js";
import { channel, field, oneTabStop, speaker } from "./parts.js";
import { coordinates as phrases } from "../sentences.js";

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
  /** Keys of the rows that the last move changed. @type {Set<string>} */
  let changed = new Set();

  const { status, say } = speaker();
  const cubes = channel(api, say, 60);
  const { status: fault, say: sayFault } = speaker();
  const own = channel(api, sayFault);
  const detail = createDetail({ store, api }, spaces);

  const filter = h("input", { type: "search", placeholder: phrases.filterSuchAsNissy, "aria-label": phrases.filter });
  filter.oninput = redraw;
  const table = h("table", { class: "values", "aria-label": phrases.coordinates });
  oneTabStop(table);
  const { input, form } = field(phrases.compose, phrases.add, compose, { placeholder: "comp(twist,slice)" });

  /** @param {T.Row} row */
  function lineOf({ key, name, text, note, open }) {
    // A long name may break after these characters.
    const label = name.replace(/[_.,(]/g, "$&\u200b");
    const opener = open ? button(label, () => show(open), { class: "link" }) : label;
    return h(
      "tr",
      { class: changed.has(key) ? "changed" : "", "aria-current": String(open?.name === detail.name()) },
      h("th", { scope: "row" }, opener, h("small", {}, note)),
      h("td", {}, text),
    );
  }

  /** Draws the rows that match the filter. The focus stays on its row. */
  function draw() {
    const focused = document.activeElement?.textContent;
    const within = table.contains(document.activeElement);
    table.replaceChildren();
    for (const { title, rows } of groups) {
      const seen = rows.filter((row) => matches(row, filter.value));
      const head = h("tr", {}, h("th", { colspan: 2, scope: "rowgroup" }, title));
      if (seen.length) table.append(h("tbody", {}, head, ...seen.map(lineOf)));
    }
    if (within) [...table.querySelectorAll("button")].find((item) => item.textContent === focused)?.focus();
  }

  /** Draws rows that did not change. */
  function redraw() {
    changed.clear();
    draw();
  }

  const highlight = h("input", { type: "checkbox", checked: true, onchange: light });
  const pieces = h("span", {});
  detail.element.querySelector("form")?.after(h("label", { class: "row" }, highlight, pieces));

  /** Highlights the pieces of the open coordinate on the cube. */
  function light() {
    const { words, stickers } = piecesOf(detail.name(), shown(store.get()));
    pieces.textContent = phrases.highlightItsPieces(words);
    store.set({ focus: highlight.checked && stickers.size ? stickers : null });
  }

  /** @param {T.CubeValue} value */
  function show(value) {
    store.set({ coordinate: value.name });
  }

  /** Shows the coordinate that the store names, or the first one. A composed one may not have come yet. */
  function follow() {
    if (!cube) return;
    const values = [...cube[0].coordinates, ...composed];
    const { coordinate } = store.get();
    const value = coordinate ? values.find(({ name }) => name === coordinate) : values[0];
    if (!value) return;
    if (value.name === detail.name()) detail.follow(value);
    else detail.open(value);
    light();
  }

  /** Shows the values that came. @param {Set<string>} [before] keys of rows that changed with them */
  function renew(before = new Set()) {
    if (!catalogue || !cube) return;
    const next = groupsOf(catalogue, cube[0], composed, cube[1], spaces);
    changed = new Set([...before, ...changes(groups, next)]);
    groups = next;
    follow();
    draw();
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
        renew();
        const { coordinate } = store.get();
        const isKnown = [...found.coordinates, ...composed].some(({ name }) => name === coordinate);
        if (coordinate && !isKnown) return compose(coordinate);
        own.run(
          (ask) => ask.post("/coords", { facelets, names }),
          (/** @type {T.CubeAnswer} */ { coordinates }) => {
            composed = coordinates;
            renew(changed);
          },
          true,
        );
      },
    );
  }

  /** Adds a coordinate, under the name that the service gives it. @param {string} expression */
  function compose(expression) {
    own.run(
      async (ask) => {
        try {
          return await ask.post("/coords", { facelets: shown(store.get()), names: [expression] });
        } catch (problem) {
          // A wrong address must not be asked again.
          const isWrong = [400, 404, 422].includes(/** @type {import("../types").ProblemFields} */ (problem).status);
          if (isWrong && store.get().coordinate === expression) store.set({ coordinate: "" });
          throw problem;
        }
      },
      (/** @type {T.CubeAnswer} */ { coordinates: [value] }) => {
        const known = catalogue?.coordinates.some(({ name }) => name === value.name);
        if (!known) names = [...new Set([...(names ?? []), value.name])];
        composed = [...composed, value];
        input.value = "";
        show(value);
        update();
      },
    );
  }

  return {
    views: [h("div", {}, status, filter, h("div", { class: "scroll" }, table), form, fault), detail.element],
    update,
    /** Shows the coordinate that the store names. */
    open() {
      follow();
      redraw();
    },
    stop() {
      for (const part of [cubes, own, detail]) part.stop();
    },
  };
}
