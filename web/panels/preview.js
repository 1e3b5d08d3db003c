// @ts-check
// Buttons that show another cube while the pointer or the focus is on them.

import { button } from "../dom.js";
import { store } from "../store.js";

/**
 * Listeners of a button that shows something while the pointer or the focus is on it. Only a movement of the pointer
 * counts: a button may appear under a resting one.
 *
 * @param {() => unknown} show @param {() => unknown} hide
 */
export const pointed = (show, hide) => ({
  onpointermove: (/** @type {PointerEvent} */ { movementX, movementY, pointerType }) => {
    if ((movementX || movementY) && pointerType !== "touch") show();
  },
  onpointerleave: hide,
  onfocus: show,
  onblur: hide,
});

/** @param {string} text @param {import("../types").Preview} cube @param {() => void} onclick */
export function previewButton(text, cube, onclick) {
  const hide = () => store.get().preview === cube && store.set({ preview: null });
  return button(
    text,
    onclick,
    pointed(() => store.set({ preview: cube }), hide),
  );
}

// A new cube, problem or mode ends every preview: its button may be removed, and then no event would end it.
store.subscribe(({ preview }, changed) => {
  const isOver = changed.has("stickers") || changed.has("problem") || changed.has("mode");
  if (preview && isOver) store.set({ preview: null });
});
