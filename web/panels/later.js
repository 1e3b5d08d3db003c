// @ts-check
// Panels that the first view does not need. Each is loaded when it is first used.

import { h } from "../dom.js";
import { store } from "../store.js";
import { later as phrases } from "../sentences.js";

/**
 * A closed panel whose contents are loaded when it is opened.
 *
 * @param {string} title @param {(panel: HTMLElement) => Promise<void>} load
 */
function panel(title, load) {
  const details = h("details", {}, h("summary", {}, title));
  details.addEventListener("toggle", function open() {
    if (!details.open) return;
    details.removeEventListener("toggle", open);
    load(details).catch(() => {
      details.open = false;
      details.addEventListener("toggle", open);
      store.set({ message: phrases.notLoaded });
    });
  });
  return details;
}

/** @param {HTMLElement} scramble @param {HTMLElement} share the places of the panels */
export function mountLater(scramble, share) {
  const fewest = panel(phrases.fewestMoves, async (place) => (await import("./fewest.js")).mountFewest(place));
  share.append(
    fewest,
    panel(phrases.shareAndPrint, async (place) => (await import("./share.js")).mountShare(place)),
  );
  let scrambles = false;
  store.subscribe(async ({ mode, solution }, changed) => {
    fewest.hidden = mode !== "solve";
    // Printing cannot wait for a module, so load it early.
    if (changed.has("solution") && solution) void import("./print.js");
    if (!changed.has("mode") || mode !== "scramble" || scrambles) return;
    scrambles = true;
    const { mountScramble } = await import("./scramble.js");
    mountScramble(scramble);
  });
}
