// @ts-check
// Parts that the first view does not need. Each is loaded when it is first used.

import { button, h } from "../dom.js";
import { store } from "../store.js";
import { later as phrases } from "../sentences.js";

/**
 * Loads a module. If this fails, `place` says so and offers to try again; the promise waits for that.
 *
 * @template T
 * @param {HTMLElement} place @param {() => Promise<T>} load @returns {Promise<T>}
 */
export async function loaded(place, load) {
  place.querySelector(".not-loaded")?.remove();
  const again = button(phrases.tryAgain, () => {});
  const note = h("div", { class: "not-loaded" }, h("p", { role: "status" }, phrases.notLoaded), again);
  for (;;) {
    try {
      const module = await load();
      note.remove();
      return module;
    } catch {
      place.append(note);
      await new Promise((resolve) => again.addEventListener("click", resolve, { once: true }));
    }
  }
}

/**
 * A closed panel whose contents are loaded when it is opened.
 *
 * @param {string} title @param {(panel: HTMLElement) => Promise<void>} load
 */
function panel(title, load) {
  const details = h("details", {}, h("summary", {}, title));
  details.addEventListener("toggle", () => void load(details), { once: true });
  return details;
}

/**
 * Mounts the panels. Returns a function that waits until the panel of scrambles is there.
 *
 * @param {HTMLElement} scramble @param {HTMLElement} share the places of the panels
 */
export function mountLater(scramble, share) {
  const fewest = panel(phrases.fewestMoves, async (place) =>
    (await loaded(place, () => import("./fewest.js"))).mountFewest(place),
  );
  const steps = panel(phrases.solveInSteps, async (place) =>
    (await loaded(place, () => import("./steps.js"))).mountSteps(place),
  );
  const robot = panel(phrases.forARobot, async (place) =>
    (await loaded(place, () => import("./robot.js"))).mountRobot(place),
  );
  share.append(
    fewest,
    steps,
    robot,
    panel(phrases.shareAndPrint, async (place) => (await loaded(place, () => import("./share.js"))).mountShare(place)),
  );
  /** @type {Promise<void> | null} */
  let scrambles = null;
  const showScrambles = () =>
    (scrambles ??= loaded(scramble, () => import("./scramble.js")).then(({ mountScramble }) =>
      mountScramble(scramble),
    ));
  store.subscribe(({ mode, solution }, changed) => {
    fewest.hidden = steps.hidden = robot.hidden = mode !== "solve";
    // Printing cannot wait for a module, so load it early. If this fails, the next solution loads it.
    if (changed.has("solution") && solution) import("./print.js").catch(() => {});
    if (changed.has("mode") && mode === "scramble") void showScrambles();
  });
  return showScrambles;
}
