// @ts-check
// Colours of the stickers: named palettes, free choice, letters on the stickers, and hidden faces. Kept in localStorage.

import { colorName } from "../cube/names.js";
import { h } from "../dom.js";
import { COLOURS, PALETTES, store } from "../store.js";
import { look as phrases } from "../sentences.js";

/** @typedef {import("../types").Palette} Palette */

const KEY = "superflip.look";

/** Restores the palette of the last visit. */
export function restoreLook() {
  try {
    const { palette, symbols, hints } = JSON.parse(localStorage.getItem(KEY) ?? "");
    if (COLOURS.every((colour) => /^#[0-9a-f]{6}$/.test(palette[colour])))
      store.set({ palette, symbols: Boolean(symbols), hints: Boolean(hints) });
  } catch {
    // The first visit, or storage is not allowed: the standard palette stays.
  }
}

/** @param {HTMLElement} place */
export function mountLook(place) {
  const names = /** @type {(keyof typeof PALETTES)[]} */ (Object.keys(PALETTES));
  const choice = h(
    "select",
    { id: "palette", onchange: () => choose(choice.value) },
    ...names.map((name) => h("option", { value: name }, phrases.palettes[name])),
    h("option", { value: "" }, phrases.customColours),
  );
  const inputs = COLOURS.map((colour) =>
    h("input", {
      type: "color",
      oninput: (/** @type {Event} */ event) =>
        keep({
          palette: {
            ...store.get().palette,
            [colour]: /** @type {HTMLInputElement} */ (event.target).value,
          },
        }),
    }),
  );
  const symbols = h("input", {
    type: "checkbox",
    id: "symbols",
    onchange: () => keep({ symbols: symbols.checked }),
  });
  const hints = h("input", { type: "checkbox", onchange: () => keep({ hints: hints.checked }) });
  place.append(
    h(
      "details",
      {},
      h("summary", {}, phrases.colours),
      h("div", { class: "row" }, h("label", { htmlFor: "palette" }, phrases.palette), choice),
      h("div", { class: "row" }, ...inputs),
      h("label", { class: "row" }, symbols, phrases.showLetters),
      h("label", { class: "row" }, hints, phrases.showHidden),
    ),
  );

  /** @param {string} name */
  function choose(name) {
    if (name) keep({ palette: PALETTES[/** @type {keyof typeof PALETTES} */ (name)] });
  }

  /** @param {{palette?: Palette, symbols?: boolean, hints?: boolean}} patch */
  function keep(patch) {
    store.set(patch);
    const { palette, symbols, hints } = store.get();
    try {
      localStorage.setItem(KEY, JSON.stringify({ palette, symbols, hints }));
    } catch {
      // Storage is not allowed: the choice lasts until the page is closed.
    }
  }

  function draw() {
    const { palette, symbols: letters, hints: floating } = store.get();
    const name = names.find((known) => COLOURS.every((colour) => PALETTES[known][colour] === palette[colour]));
    choice.value = name ?? "";
    inputs.forEach((input, index) => {
      input.value = palette[COLOURS[index]];
      input.setAttribute("aria-label", phrases.colour(index + 1, colorName(input.value)));
    });
    symbols.checked = letters;
    hints.checked = floating;
  }
  store.subscribe((_, changed) => {
    if (changed.has("palette") || changed.has("symbols") || changed.has("hints")) draw();
  });
  draw();
}
