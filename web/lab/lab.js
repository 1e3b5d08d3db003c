// @ts-check
// The laboratory: coordinates of the shown cube, the bounds of its solution, and the tables of the service.

import { makeMove } from "../actions.js";
import { button, h } from "../dom.js";
import { createBounds } from "./bounds.js";
import { createCoordinates } from "./coordinates.js";
import { createGuide } from "./guide.js";
import { MOVES } from "./model.js";
import { oneTabStop } from "./parts.js";
import { createTables } from "./tables.js";
import { lab as phrases } from "../sentences.js";

/** @type {[tab: import("../types").State["tab"], name: string][]} */
const TABS = [
  ["coordinates", phrases.coordinates],
  ["solution", phrases.solution],
  ["tables", phrases.tables],
];

/** @type {import("./types").Mount} */
export function mountLab(element, { store, api }) {
  const style = h("link", { rel: "stylesheet", href: new URL("lab.css", import.meta.url).href });
  document.head.append(style);

  const guide = createGuide({ store, api });
  const coordinates = createCoordinates({ store, api });
  const panels = [coordinates, createBounds({ store, api }), createTables({ store, api })];
  const tabs = TABS.map(([tab, name]) => {
    const open = () => store.set({ tab });
    return button(name, open, { role: "tab", id: `lab-${tab}`, onfocus: open });
  });
  const views = panels.map(({ views }, index) =>
    h("div", { role: "tabpanel", "aria-labelledby": `lab-${TABS[index][0]}`, class: "panel" }, ...views),
  );
  /** @param {string} role @param {string} label @param {HTMLElement[]} buttons */
  const bar = (role, label, buttons) => oneTabStop(h("div", { role, "aria-label": label, class: role }, ...buttons));
  const pad = bar(
    "toolbar",
    phrases.turnTheCube,
    MOVES.map((move) => button(move, () => makeMove(move))),
  );
  const root = h("div", { class: "lab" }, guide.element, pad, bar("tablist", phrases.laboratory, tabs), ...views);

  /** The panel of the open tab. */
  const current = () => TABS.findIndex(([tab]) => tab === store.get().tab);

  function openTab() {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute("aria-selected", String(index === current()));
      views[index].hidden = index !== current();
    }
    store.set({ focus: null });
    panels[current()].update();
  }

  const unsubscribe = store.subscribe((_, changed) => {
    const moved = changed.has("stickers") || changed.has("solution") || changed.has("step");
    if (moved) guide.update();
    if (changed.has("tab")) openTab();
    else if (moved) panels[current()].update();
    else if (changed.has("coordinate")) coordinates.open();
  });
  element.append(root);
  openTab();
  return {
    unmount() {
      unsubscribe();
      for (const panel of [guide, ...panels]) panel.stop();
      store.set({ focus: null });
      root.remove();
      style.remove();
    },
  };
}
