// @ts-check
/** A second, small cube. It shows the next move from the side that the usual view does not show. */
import { CubeView, HALF_MS } from "./cube-view.js";
import { layerOf } from "./cube.js";
import { svgElement } from "./overlay.js";
import { inset as phrases } from "../sentences.js";

/** The views of the hidden faces, by axis. */
const VIEWS = [
  { yaw: 56, pitch: 30, name: phrases.fromTheLeft },
  { yaw: -34, pitch: -30, name: phrases.fromBelow },
  { yaw: 146, pitch: 30, name: phrases.fromTheBack },
];

/** The view of a move that turns a hidden face and nothing else. @param {string | null} move */
export function viewOf(move) {
  if (!move) return null;
  const { axis, layers } = layerOf(move);
  return layers.length === 1 && layers[0] === -1 ? VIEWS[axis] : null;
}

export class Inset {
  #view;
  #name = document.createElement("div");
  #timer = 0;
  /** @type {string | null} */
  #move = null;

  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    const svg = /** @type {SVGSVGElement} */ (svgElement("svg"));
    place.append(this.#name, svg);
    this.#view = new CubeView(svg);
  }

  /**
   * Shows a cube and its next move. A move that is being made stays visible until its end.
   *
   * @param {string | null} next @param {string} stickers @param {import("./names.js").Palette} palette
   */
  show(next, stickers, palette) {
    const isShown = !this.place.hidden;
    if (isShown) this.#view.setStickers(stickers, palette);
    if (next === this.#move && isShown === Boolean(viewOf(next))) return;
    this.#move = next;
    this.#view.setHighlight(null);
    clearTimeout(this.#timer);
    const turn = () => {
      const view = viewOf(next);
      this.place.hidden = !view;
      if (!view) return;
      this.#name.textContent = view.name;
      this.#view.svg.setAttribute("aria-label", view.name);
      this.#view.look(view);
      this.#view.setHighlight(next);
      if (!isShown) this.#view.setStickers(stickers, palette, { animate: false });
    };
    if (isShown) this.#timer = window.setTimeout(turn, HALF_MS);
    else turn();
  }
}
