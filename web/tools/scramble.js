// @ts-check
// Scrambles from the service: kinds, number, each of them applied with one click.

import { setCube } from "../actions.js";
import { api } from "../api.js";
import { applyMoves, parseMoves } from "../cube/cube.js";
import { button, h, sentence } from "../dom.js";
import { SOLVED, store } from "../store.js";
import { offerScrambles } from "./print.js";
import { scramble as phrases } from "../sentences.js";

const KINDS = {
  333: "3x3x3",
  "333oh": phrases.oneHand,
  "333ni": phrases.blindfolded,
  "333fm": phrases.fewestMoves,
};

/** @param {HTMLElement} place */
export function mountScramble(place) {
  let kind = "333";
  const count = h("input", {
    type: "number",
    min: "1",
    max: "100",
    value: "5",
    id: "count",
    inputMode: "numeric",
  });
  const list = h("ol", { class: "scrambles" });
  const note = h("div", { class: "quiet", role: "status" });
  const sheet = button(phrases.print, () => print(), { disabled: true });
  /** @type {{scramble: string, stickers: string}[]} */
  let made = [];

  const kinds = h(
    "fieldset",
    { class: "segments" },
    h("legend", { class: "hidden" }, phrases.kindOfScramble),
    ...Object.entries(KINDS).map(([value, name]) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "kind",
          value,
          checked: value === kind,
          onchange: () => ((kind = value), void draw()),
        }),
        h("span", {}, name),
      ),
    ),
  );
  place.append(
    h("h2", {}, phrases.scrambles),
    kinds,
    h(
      "form",
      { class: "row", onsubmit: submit },
      h("label", { htmlFor: "count" }, phrases.number),
      count,
      h("button", { class: "primary" }, phrases.scramble),
      sheet,
    ),
    list,
    note,
  );

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (await draw()) apply(0);
  }

  /**
   * Lists new scrambles, and shows the first of them. The cube of the page stays until one is chosen. Returns whether there are any.
   */
  async function draw() {
    try {
      const answer = await api.get("/scramble", {
        kind,
        count: count.value || 1,
      });
      made = answer.scrambles.map((/** @type {string} */ scramble) => ({
        scramble,
        stickers: applyMoves(SOLVED, parseMoves(scramble)),
      }));
      note.textContent = answer.note;
      list.replaceChildren(
        ...made.map((entry, index) =>
          h(
            "li",
            {},
            button(entry.scramble, () => apply(index), { "aria-pressed": "false" }),
          ),
        ),
      );
      sheet.disabled = false;
      offerScrambles(KINDS[/** @type {keyof typeof KINDS} */ (kind)], made);
      show();
      return true;
    } catch (error) {
      const { fields } = /** @type {import("../api.js").Problem} */ (error);
      if (!fields) throw error;
      note.replaceChildren(sentence(fields.detail));
      return false;
    }
  }

  /** Marks the scramble that is shown. @param {number} index */
  function mark(index) {
    for (const [at, item] of [...list.children].entries())
      item.firstElementChild?.setAttribute("aria-pressed", String(at === index));
  }

  /** Shows the first scramble, without a change of the cube of the page. */
  function show() {
    if (store.get().mode !== "scramble" || !made.length) return;
    mark(0);
    store.set({ preview: { ...made[0], changed: [] } });
  }

  /** @param {number} index */
  function apply(index) {
    mark(index);
    setCube(made[index].stickers, { scramble: made[index].scramble });
  }

  store.subscribe(({ stickers }, changed) => {
    const at = made.findIndex((one) => one.stickers === stickers);
    if (changed.has("mode") && at < 0) show();
    if (changed.has("stickers")) mark(at);
  });
  void draw();
}
