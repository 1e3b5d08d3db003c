// @ts-check
// The laboratory: coordinates of the shown cube, the bounds of its solution, and the tables of the service.

import { makeMove } from "../actions.js";
import { button, h } from "../dom.js";
import { createBounds } from "./bounds.js";
import { createCoordinates } from "./coordinates.js";
import { MOVES } from "./model.js";
import { oneTabStop } from "./parts.js";
import { createTables } from "./tables.js";

/** @type {import("./types").Mount} */
export function mountLab(element, { store, api }) {
  const style = h("link", { rel: "stylesheet", href: new URL("lab.css", import.meta.url).href });
  document.head.append(style);

  const panels = [createCoordinates, createBounds, createTables].map((create) => create({ store, api }));
  let current = 0;
  const tabs = ["Coordinates", "Solution", "Tables"].map((name, index) => {
    const open = () => choose(index);
    return button(name, open, { role: "tab", id: `lab-${index}`, onfocus: open });
  });
  const views = panels.map(({ views }, index) =>
    h("div", { role: "tabpanel", "aria-labelledby": `lab-${index}`, class: "panel" }, ...views),
  );
  /** @param {string} role @param {string} label @param {HTMLElement[]} buttons */
  const bar = (role, label, buttons) => oneTabStop(h("div", { role, "aria-label": label, class: role }, ...buttons));
  const pad = bar(
    "toolbar",
    "Turn the cube",
    MOVES.map((move) => button(move, () => makeMove(move))),
  );
  const root = h("div", { class: "lab" }, pad, bar("tablist", "Laboratory", tabs), ...views);

  /** @param {number} index */
  function choose(index) {
    current = index;
    for (const [at, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(at === index));
      views[at].hidden = at !== index;
    }
    panels[index].update();
  }

  const unsubscribe = store.subscribe((_, changed) => {
    if (changed.has("stickers") || changed.has("solution") || changed.has("step")) panels[current].update();
  });
  element.append(root);
  choose(0);
  return {
    unmount() {
      unsubscribe();
      for (const panel of panels) panel.stop();
      root.remove();
      style.remove();
    },
  };
}
