// @ts-check
// Painting stickers: six colours with counters, undo and redo, by pointer or by keys.

import { blankOf, checkCube, filledOf, isPainting, isSolved, setCube, shown, solve } from "../actions.js";
import { isDecided } from "../cube/completions.js";
import { colorName, letterOf } from "../cube/names.js";
import { svgElement } from "../cube/overlay.js";
import { button, h } from "../dom.js";
import { guideOf, nextFace, startOf } from "./guide.js";
import { COLOURS, SOLVED, store } from "../store.js";
import { paint as phrases } from "../sentences.js";

/** @typedef {import("../types").Colour} Colour */
/** @typedef {typeof FIELDS[number]} Field */
/** @typedef {Pick<import("../types").State, Field>} Entry a cube, the place in its solution, and whether it is painted */

const FIELDS = /** @type {const} */ ([
  "stickers",
  "example",
  "scramble",
  "turned",
  "solution",
  "step",
  "painting",
  "filled",
  "comparing",
]);

const ERASE = "?";

/** @param {import("../types").State} state @returns {Entry} */
const entryOf = (state) => /** @type {any} */ (Object.fromEntries(FIELDS.map((field) => [field, state[field]])));

/** @param {HTMLElement} place @param {{net: SVGSVGElement, netView: import("../cube/net-view.js").NetView, cubeView: import("../cube/cube-view.js").CubeView}} views */
export function mountPaint(place, { net, netView, cubeView }) {
  /** @type {Colour | "?"} */
  let brush = "U";
  /** @type {Entry[]} */
  const undone = [];
  /** @type {Entry[]} */
  const history = [];
  let travelling = false;
  /** Whether the page fills in the stickers that follow. It does not if a painted sticker is known to be wrong. */
  let fills = true;

  const choices = [...COLOURS, /** @type {"?"} */ (ERASE)].map((colour) => {
    const input = h("input", {
      type: "radio",
      name: "brush",
      value: colour,
      checked: colour === brush,
      onchange: () => select(colour),
    });
    const chip = h("span", { class: "chip" });
    const name = h("span", { class: "name" });
    const count = h("span", { class: "count" });
    const label = h("label", { class: "brush" }, input, chip, name, count);
    return { colour, input, chip, name, count, label };
  });
  const frame = svgElement("rect", { class: "frame", width: 3, height: 3, rx: 0.2, "aria-hidden": "true" });
  net.append(frame);
  const guide = h("p", { class: "guide", role: "status" });
  const undo = button(phrases.undo, () => travel(history, undone));
  const redo = button(phrases.redo, () => travel(undone, history));
  const brushes = h(
    "fieldset",
    { class: "brushes" },
    h("legend", { class: "hidden" }, phrases.colourToPaintWith),
    ...choices.map((choice) => choice.label),
  );
  const others = [button(phrases.clear, clear), button(phrases.solvedCube, () => (setCube(SOLVED), checkCube()))];
  const tools = h("div", { class: "row tools" }, undo, redo, ...others);
  // The question takes the places of the guide and the tools, so that nothing moves under a finger that still paints.
  const answers = h(
    "div",
    { class: "row" },
    button(phrases.theyMatch, accept, { class: "primary" }),
    button(phrases.oneIsWrong, refuse),
  );
  place.append(guide, brushes, tools, answers);

  function clear() {
    fills = true;
    setCube(blankOf(SOLVED), { painting: true });
  }

  function accept() {
    store.set({ comparing: false });
    solve();
  }

  /** Goes on without the stickers that followed. A wrong sticker can be found as soon as all others are painted. */
  function refuse() {
    fills = false;
    setCube(store.get().filled ?? blankOf(SOLVED), { painting: true });
  }

  /** @param {Colour | "?"} colour */
  function select(colour) {
    brush = colour;
    for (const choice of choices) choice.input.checked = choice.colour === colour;
  }

  /** @param {Entry[]} from @param {Entry[]} to */
  function travel(from, to) {
    const entry = from.pop();
    if (!entry) return;
    const { stickers, ...place } = entry;
    to.push(entryOf(store.get()));
    travelling = true;
    setCube(stickers, place);
    travelling = false;
    if (!place.solution && !place.example && !stickers.includes(ERASE)) void checkCube();
    draw();
  }

  /**
   * Starts or ends painting. In place of the cube of the first screen or a solved cube, it starts with the centres only. Stickers that
   * followed from the painted ones go: if one of those is wrong, they are too.
   */
  function toggle() {
    const on = !isPainting(store.get());
    const { filled } = store.get();
    fills = true;
    if (on && filled) return setCube(filled, { painting: on });
    if (on && (store.get().example || isSolved(shown()))) setCube(blankOf(shown()), { painting: on });
    else store.set({ painting: on, message: "" });
  }

  let timer = 0;
  /** @param {number} index */
  function paint(index) {
    const stickers = shown();
    const { comparing, lost } = store.get();
    if (comparing || lost === "answer" || stickers[index] === brush) return;
    const painted = stickers.slice(0, index) + brush + stickers.slice(index + 1);
    setCube(painted);
    clearTimeout(timer);
    // Another cube may be there by then.
    timer = setTimeout(() => store.get().stickers === painted && look(), 150);
  }

  /** Asks the service about a cube that is whole, or whose other stickers follow. One question at a time: not while it looks for a wrong turn. */
  function look() {
    const { stickers, lost } = store.get();
    if (!stickers.includes(ERASE) || (fills && !lost && isDecided(stickers))) void checkCube();
  }

  /** @param {Event} event */
  const onSticker = (event) => {
    if (isPainting(store.get())) paint(/** @type {CustomEvent} */ (event).detail.index);
  };
  netView.addEventListener("sticker", onSticker);
  cubeView.addEventListener("sticker", onSticker);

  /**
   * Selects a colour; in the net it also paints the sticker under the cursor and goes to the next one.
   * @param {KeyboardEvent} event
   */
  function key(event) {
    if (!isPainting(store.get()) || event.ctrlKey || event.metaKey || event.altKey) return false;
    const symbol = event.key.toUpperCase();
    const erase = event.key === "?" || event.key === "Backspace" || event.key === "Delete" || event.key === "0";
    const found = erase
      ? ERASE
      : COLOURS.find(
          (colour, index) => symbol === letterOf(colour, store.get().palette) || symbol === String(index + 1),
        );
    const at = /** @type {Element} */ (event.target).closest?.("#net [data-index]")?.getAttribute("data-index") ?? null;
    if (!found || (event.key === "?" && at === null)) return false;
    select(found);
    if (at === null) return true;
    const back = event.key === "Backspace";
    const cursor = back ? Math.max(0, Number(at) - 1) : Number(at);
    paint(cursor);
    go(back ? cursor : Math.min(53, cursor + 1));
    return true;
  }

  /** Moves the cursor of the net. @param {number} cursor */
  function go(cursor) {
    store.set({ cursor });
    /** @type {SVGElement | null} */ (net.querySelector(`[data-index="${cursor}"]`))?.focus();
  }
  netView.addEventListener("cursor", (event) => {
    if (store.get().painting) store.set({ cursor: /** @type {CustomEvent} */ (event).detail.index });
  });
  // A listener on the picture itself would make it a tab stop.
  net.parentElement?.addEventListener("focusout", () =>
    setTimeout(() => net.contains(document.activeElement) || store.set({ cursor: null })),
  );

  function draw() {
    const state = store.get();
    const whole = !state.stickers.includes(ERASE);
    for (const { colour, chip, name: label, count, input } of choices) {
      const number = state.stickers.split(colour).length - 1;
      const name = colour === ERASE ? phrases.noColour : colorName(state.palette[colour]);
      const wrong = colour !== ERASE && (number > 9 || (whole && number !== 9));
      chip.style.background = colour === ERASE ? "" : state.palette[colour];
      chip.classList.toggle("none", colour === ERASE);
      label.textContent = colour === ERASE ? phrases.erase : name;
      count.textContent = `${number}${wrong ? "!" : ""}`;
      count.classList.toggle("wrong", wrong);
      input.setAttribute("aria-label", (wrong ? phrases.wrongNumber : phrases.number)(name, number));
    }
    const asks = state.lost === "answer";
    const face = isPainting(state) && !asks ? nextFace(state.stickers) : undefined;
    frame.toggleAttribute("hidden", face === undefined);
    cubeView.setFrame(face ?? null);
    if (face)
      for (const axis of ["x", "y"])
        frame.setAttribute(axis, String(Math.floor(Number(netView.nodes[startOf(face)].shape.getAttribute(axis)))));
    place.dataset.lost = state.lost ?? "";
    brushes.disabled = state.comparing || asks;
    tools.hidden = state.comparing;
    for (const button of others) button.hidden = state.lost !== null;
    answers.hidden = !state.comparing;
    const next = guideOf(state.stickers, state.palette);
    if (state.comparing) guide.textContent = phrases.compare(filledOf(state).length);
    else if (asks) guide.textContent = "";
    else guide.textContent = next && !fills ? phrases.copyAll(next) : next;
    undo.disabled = !history.length;
    redo.disabled = !undone.length;
  }

  let before = entryOf(store.get());
  store.subscribe((state, changed) => {
    // A listener that came first may have changed the state since: then this one has been told of the new cube already.
    if (state.stickers !== before.stickers && !travelling) {
      history.push(before);
      undone.length = 0;
      if (history.length > 500) history.shift();
    }
    before = entryOf(store.get());
    if (
      ["stickers", "palette", "painting", "comparing", "lost", "mode"].some((key) =>
        changed.has(/** @type {any} */ (key)),
      )
    )
      draw();
  });
  draw();
  return {
    key,
    toggle,
    undo: () => travel(history, undone),
    redo: () => travel(undone, history),
  };
}
