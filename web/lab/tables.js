// @ts-check
// The tables that the service has loaded: shape, size, histograms and rows.

import { h } from "../dom.js";
import { size } from "../size.js";
import { full, MOVES } from "./model.js";
import { barChart, channel, fact, field, speaker } from "./parts.js";
import { tables as phrases } from "../sentences.js";

/** @import * as T from "./types" */

/** Names of the tables that are no part of a profile: for proofs and for other metrics. */
const EXTRA = /^(optimal|qtm|stm|axht|axqt)_/;

/** The numbers and sizes of the tables of the profile and of the others, in words. @param {T.Table[]} tables @param {string} profile */
export function totals(tables, profile) {
  const sizeOf = (/** @type {T.Table[]} */ list) => size(list.reduce((sum, { bytes }) => sum + bytes, 0));
  const others = tables.filter(({ name }) => EXTRA.test(name));
  const own = tables.filter((table) => !others.includes(table));
  const first = phrases.ofProfile(own.length, profile, sizeOf(own));
  return others.length ? `${first} ${phrases.others(others.length, sizeOf(others))}` : first;
}

/** @param {T.Options} options */
export function createTables({ api }) {
  const { status, say } = speaker();
  const requests = channel(api, say);
  const rows = channel(api, say);
  const select = h("select", { "aria-label": phrases.table, onchange: load });
  const total = h("p", { class: "quiet" });
  const body = h("div");
  const entries = h("ol", { class: "entries" });
  const { input, form } = field(phrases.row, phrases.show, loadRow, { type: "number", min: "0" });

  let byMove = false;

  function list() {
    requests.run(
      (ask) => ask.get("/tables"),
      (/** @type {T.Tables} */ { tables, profile }) => {
        select.replaceChildren(
          ...tables.map(({ name, purpose }) => h("option", { value: name }, `${name}: ${purpose}`)),
        );
        select.selectedIndex = tables.findIndex((table) => table.depth_histogram.length > 6);
        total.textContent = totals(tables, profile);
        load();
      },
    );
  }

  function load() {
    rows.stop();
    entries.replaceChildren();
    requests.run((ask) => ask.get(`/tables/${encodeURIComponent(select.value)}`), draw);
  }

  /** @param {T.Table} table */
  function draw(table) {
    const { rows, columns, depth_histogram: states, published } = table;
    byMove = columns.name === "move";
    input.value = "0";
    body.replaceChildren(
      states.length ? barChart(states, phrases.states) : h("p", { class: "quiet" }, phrases.theEntriesAreNotDistances),
      h(
        "dl",
        {},
        ...fact(phrases.rows, `${full(rows.count)}: ${rows.name}. ${rows.meaning}`),
        ...fact(phrases.columns, `${full(columns.count)}: ${columns.name}. ${columns.meaning}`),
        ...fact(phrases.entries, phrases.size(full(table.entries), table.bits, size(table.bytes), table.encoding)),
        ...(published
          ? fact(phrases.published, (published.agrees ? phrases.equalTo : phrases.differentFrom)(published.of))
          : []),
      ),
      form,
      entries,
    );
  }

  /** @param {string} row */
  function loadRow(row) {
    rows.run(
      (ask) => ask.get(`/tables/${encodeURIComponent(select.value)}/rows/${row}`, { count: 54 }),
      (/** @type {T.TableRow} */ { entries: list, decoded, left }) => {
        const items = list.map((entry, column) => {
          const part = decoded?.[column];
          const text = part ? Object.entries(part).flat(2).join(" ") : String(entry);
          return h("li", {}, h("small", {}, byMove ? MOVES[column] : String(column)), ` ${text}`);
        });
        entries.replaceChildren(...items, left ? h("li", { class: "quiet" }, phrases.more(full(left))) : "");
      },
    );
  }

  return {
    views: [select, status, total, body],
    update() {
      if (!select.options.length) list();
    },
    stop() {
      requests.stop();
      rows.stop();
    },
  };
}
