// @ts-check
/** The cube as a flat net. One tab stop; arrow keys move the cursor; Enter and Space emit `sticker`. */
import { SOLVED, STICKERS } from "./cube.js";
import { PALETTE } from "./names.js";
import { StickerNode, svgElement } from "./overlay.js";
import { netView as phrases } from "../sentences.js";

/** @typedef {import("./names.js").Palette} Palette */

/** The column and row of the first sticker of each face. @type {Record<string, [number, number]>} */
const CORNERS = { U: [3, 0], R: [6, 3], F: [3, 3], D: [3, 6], L: [0, 3], B: [9, 3] };
const PLACES = STICKERS.map(({ face, row, column }) => [CORNERS[face][0] + column, CORNERS[face][1] + row]);
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});
const INSET = 0.06;

/** Events: `sticker` (a tap or key; detail.index) and `cursor` (keys or a tap moved the cursor; detail.index). */
export class NetView extends EventTarget {
  /** @type {import("./overlay.js").Look} */
  #look = {
    stickers: SOLVED,
    palette: PALETTE,
    marks: new Set(),
    dots: new Set(),
    cursor: null,
    symbols: false,
    names: true,
  };
  /** The sticker that takes the focus. */
  #focus = 22;

  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    super();
    svg.setAttribute("viewBox", "-0.1 -0.1 12.2 9.2");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", phrases.label);
    svg.classList.add("net-view");
    const size = 1 - 2 * INSET;
    this.nodes = PLACES.map(([x, y], index) => {
      const box = { x: x + INSET, y: y + INSET, width: size, height: size, rx: 0.13 };
      return new StickerNode(index, svgElement("rect", { role: "button", tabindex: -1, ...box }));
    });
    svg.append(...this.nodes.map(({ group }) => group));
    this.#paint();
    svg.addEventListener("click", (event) => {
      const index = /** @type {Element} */ (event.target).getAttribute("data-index");
      if (index === null) return;
      this.#go(Number(index));
      this.#emit("sticker", Number(index));
    });
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {string} stickers @param {Palette} [palette] */
  setStickers(stickers, palette = this.#look.palette) {
    this.#set({ stickers, palette });
  }

  /** @param {Iterable<number>} marks */
  setMarks(marks) {
    this.#set({ marks: new Set(marks) });
  }

  /** @param {Iterable<number>} dots */
  setDots(dots) {
    this.#set({ dots: new Set(dots) });
  }

  /** @param {number|null} cursor */
  setCursor(cursor) {
    if (cursor !== null) this.#focus = cursor;
    this.#set({ cursor });
  }

  /** @param {boolean} symbols */
  setSymbols(symbols) {
    this.#set({ symbols });
  }

  /** @param {Partial<import("./overlay.js").Look>} look */
  #set(look) {
    this.#look = { ...this.#look, ...look };
    this.#paint();
  }

  #paint() {
    for (const node of this.nodes) {
      const { index, shape } = node;
      shape.setAttribute("tabindex", index === this.#focus ? "0" : "-1");
      if (!node.paint(this.#look)) continue;
      const [x, y] = PLACES[index];
      for (const ring of node.rings)
        for (const name of ["x", "y", "width", "height", "rx"]) ring.setAttribute(name, shape.getAttribute(name) ?? "");
      node.text?.setAttribute("transform", `translate(${x + 0.5} ${y + 0.5}) scale(0.055)`);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) this.#go(neighbour(this.#focus, arrow));
    else if (event.key === "Enter" || event.key === " ") this.#emit("sticker", this.#focus);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  #go(index) {
    this.#focus = index;
    this.#paint();
    this.nodes[index].shape.focus();
    this.#emit("cursor", index);
  }

  /** @param {string} type @param {number} index */
  #emit(type, index) {
    this.dispatchEvent(new CustomEvent(type, { detail: { index } }));
  }
}

/**
 * The next sticker in a direction. The four sides are a ring; elsewhere the cursor stays at the end.
 *
 * @param {number} index
 * @param {[number, number]} step
 */
function neighbour(index, [dx, dy]) {
  const [x, y] = PLACES[index];
  const [column, row] = [(x + dx + 12) % 12, y + dy];
  const to = PLACES.findIndex((place) => place[0] === column && place[1] === row);
  return to < 0 ? index : to;
}
