// @ts-check
// The box that accepts a cube in any form.

import { isOutage, openCube, setCube, setProblem } from "../actions.js";
import { Problem } from "../api.js";
import { button, h, isTextField } from "../dom.js";
import { store } from "../store.js";
import { previewButton } from "./preview.js";
import { textError } from "./text-error.js";
import { FORMS, readAs, readCube, refusedStickers, visible } from "./read.js";
import { actions, input as phrases } from "../sentences.js";

const EMPTY = phrases.empty;
const CHANGED = phrases.changed;

/** Number of unknown stickers. @param {string} text */
const unknown = (text) => text.split("?").length - 1;

/** @param {HTMLElement} place @param {() => void} random called for a random cube */
export function mountInput(place, random) {
  const box = h("textarea", {
    id: "box",
    rows: 2,
    spellcheck: false,
    autocomplete: "off",
    placeholder: phrases.pasteAnyCube,
    "aria-describedby": "form",
    autocapitalize: "off",
  });
  const form = h("p", { id: "form", class: "quiet", role: "status" }, EMPTY);
  const readings = h("div", { class: "row", hidden: true });
  const below = h("div", { class: "below" }, form, button(phrases.randomCube, random));
  place.append(h("label", { class: "first", htmlFor: "box" }, phrases.pasteOrScramble), box, below, readings);

  let abort = new AbortController();
  let timer = 0;
  /** The text that waits for the service. @type {string | null} */
  let unread = null;

  /** Whether the shown problem is one of the text alone. */
  let isRefused = false;
  /** Whether the text is being typed key by key. */
  let typing = false;
  /** Whether the change of the cube comes from the box. */
  let reading = false;
  /** The cube of the text, and what was said of the text before the cube changed. */
  let own = "";
  let said = "";
  /** @template T @param {() => T} change @returns {T} */
  function show(change) {
    reading = true;
    const done = change();
    reading = false;
    own = store.get().stickers;
    return done;
  }

  /** @param {string} [format] */
  async function read(format) {
    clearTimeout(timer);
    abort.abort();
    abort = new AbortController();
    const text = visible(box.value);
    if (text !== box.value) box.value = text;
    readings.hidden = true;
    store.set({ preview: null });
    unread = null;
    own = "";
    if (!text.trim()) {
      form.textContent = EMPTY;
      if (isRefused) store.set({ problem: null, marks: [] });
      isRefused = false;
      return;
    }
    try {
      const cube = await readCube(text, { format, signal: abort.signal });
      form.textContent = readAs(text, cube.form);
      const message = cube.completed ? actions.othersFollow(cube.completed) : "";
      await show(() => openCube(cube.stickers, { scramble: cube.scramble, message, painting: false }));
    } catch (error) {
      if (!(error instanceof Problem)) {
        if (/** @type {Error} */ (error).name !== "AbortError") throw error;
        return;
      }
      refused(text, error);
    }
  }

  /** @param {string} text @param {Problem} error */
  function refused(text, error) {
    const problem = error.fields;
    if (isOutage(problem)) {
      unread = text;
      form.textContent = phrases.waits;
      return;
    }
    const cut = problem.violations?.some(({ code }) => code === "wrong_length");
    const isWhole = !cut && problem.code !== "unreadable_cube" && problem.code !== "notation";
    form.textContent = problem.format ? readAs(text, problem.format, isWhole) : "";
    if (problem.code === "ambiguous_cube" && problem.readings) {
      store.set({ problem: null, marks: [], message: "" });
      form.textContent = phrases.several;
      readings.hidden = false;
      readings.replaceChildren(
        ...problem.readings.map((reading) => {
          const name = FORMS[reading.format ?? ""] ?? phrases.thisCube;
          const use = () => void (reading.format ? read(reading.format) : openCube(reading.facelets));
          return previewButton(name, { stickers: reading.facelets, changed: [] }, use);
        }),
      );
      return;
    }
    const stickers = refusedStickers(text, problem);
    // Asked again in the letters of the page, so that the sentences match the paint counters. A seventh symbol has no such letter.
    if (stickers && problem.code === "impossible_cube" && unknown(stickers) === unknown(text))
      return void show(() => openCube(stickers, { painting: true }));
    if (stickers) show(() => setCube(stickers, { painting: true }));
    const { sentence, range } = textError(text, problem);
    isRefused = !stickers;
    setProblem(new Problem({ ...problem, detail: sentence }));
    // The end of a text that is being typed is not selected: the next key would replace it.
    const isTyped = typing && range?.[1] === text.trimEnd().length;
    if (range && !isTyped && document.activeElement === box) box.setSelectionRange(...range);
    if (problem.nearest !== undefined && !stickers) {
      const nearest = problem.nearest;
      readings.hidden = false;
      readings.replaceChildren(
        button(phrases.readNearest(nearest.length > 40 ? phrases.theNearestText : nearest), () => write(nearest)),
      );
    }
    if (cut && problem.detail.includes("format=scramble")) {
      readings.hidden = false;
      readings.replaceChildren(button(phrases.readAsMoves, () => read("scramble")));
    }
  }

  /** Puts a text into the box and reads it. @param {string} text */
  function write(text) {
    box.value = text;
    fit();
    return read();
  }

  function fit() {
    box.style.height = "0";
    box.style.height = `${Math.max(64, Math.min(box.scrollHeight + 2, 240))}px`;
  }

  box.addEventListener("input", (event) => {
    const { inputType, data } = /** @type {InputEvent} */ (event);
    typing = inputType?.startsWith("delete") || data?.length === 1;
    fit();
    form.textContent = phrases.reading;
    clearTimeout(timer);
    timer = setTimeout(() => read(), 300);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.blur();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    typing = false;
    void read();
  });
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text");
    if (isTextField(event.target) || !text?.trim()) return;
    store.set({ mode: "solve" });
    void write(text);
  });
  /** Reads the text that could not be read while the service was gone. Returns whether there is one. */
  async function retry() {
    if (unread === null) return false;
    await read();
    return true;
  }
  store.subscribe(({ stickers }, changed) => {
    if (!changed.has("stickers") || reading || !box.value || !readings.hidden) return;
    if (form.textContent !== CHANGED) said = form.textContent ?? "";
    form.textContent = stickers === own ? said : CHANGED;
  });
  return { write, retry, focus: () => box.focus() };
}
