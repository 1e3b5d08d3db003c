// @ts-check
/** The cube as a flat net. One tab stop; arrows move a cursor; Enter and Space emit `sticker`. */
import { SOLVED, STICKERS, layerAt, layerOf } from "./cube.js";
import { svgElement } from "./cube-view.js";
import { PALETTE, stickerName } from "./names.js";

/** @typedef {import("./names.js").Palette} Palette */

/** The column and row of the first sticker of each face. @type {Record<string, [number, number]>} */
const CORNERS = { U: [3, 0], R: [6, 3], F: [3, 3], D: [3, 6], L: [0, 3], B: [9, 3] };
const PLACES = STICKERS.map(({ face, row, column }) => [CORNERS[face][0] + column, CORNERS[face][1] + row]);
const ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] },
});

/** Events: `sticker` (a tap or key; detail.index) and `cursor` (the cursor moved by keys; detail.index). */
export class NetView extends EventTarget {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    super();
    this.svg = svg;
    this.stickers = SOLVED;
    /** @type {Palette} */
    this.palette = PALETTE;
    this.marks = new Set();
    /** @type {string|null} */
    this.highlight = null;
    this.cursor = 4;
    svg.setAttribute("viewBox", "-0.15 -0.15 12.3 9.3");
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Net of the cube. Arrow keys move between stickers.");
    this.nodes = PLACES.map(([x, y], index) =>
      svgElement("rect", { class: "sticker", "data-index": index, role: "button", x: x + 0.06, y: y + 0.06, width: 0.88, height: 0.88, rx: 0.13 }),
    );
    svg.append(...this.nodes);
    this.paint();
    svg.addEventListener("click", (event) => {
      const index = this.nodes.indexOf(/** @type {SVGElement} */ (event.target));
      if (index < 0) return;
      this.moveCursor(index);
      this.emit("sticker", index);
    });
    svg.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {string} stickers @param {Palette} [palette] */
  setStickers(stickers, palette = this.palette) {
    this.stickers = stickers;
    this.palette = palette;
    this.paint();
  }

  /** @param {Iterable<number>} marks */
  setMarks(marks) {
    this.marks = new Set(marks);
    this.paint();
  }

  /** @param {number|null} index */
  setCursor(index) {
    this.cursor = index ?? this.cursor;
    this.paint();
  }

  /** @param {string|null} move */
  setHighlight(move) {
    this.highlight = move;
    this.paint();
  }

  paint() {
    const next = this.highlight ? layerOf(this.highlight) : undefined;
    for (const [index, node] of this.nodes.entries()) {
      const symbol = this.stickers[index];
      node.setAttribute("fill", this.palette[symbol] ?? "#8a8f98");
      node.setAttribute("aria-label", stickerName(index, symbol, this.palette));
      node.setAttribute("tabindex", index === this.cursor ? "0" : "-1");
      node.classList.toggle("marked", this.marks.has(index));
      node.classList.toggle("next", Boolean(next?.layers.includes(layerAt(STICKERS[index].center[next.axis]))));
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const arrow = ARROWS[event.key];
    if (arrow) {
      const [x, y] = PLACES[this.cursor];
      const to = PLACES.findIndex(([a, b]) => b === y + arrow[1] && a === (y === 3 || y === 4 || y === 5 ? (x + arrow[0] + 12) % 12 : x + arrow[0]));
      if (to >= 0) this.moveCursor(to);
    } else if (event.key === "Enter" || event.key === " ") this.emit("sticker", this.cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index */
  moveCursor(index) {
    this.cursor = index;
    this.paint();
    this.nodes[index].focus();
    this.emit("cursor", index);
  }

  /** @param {string} name @param {number} index */
  emit(name, index) {
    this.dispatchEvent(new CustomEvent(name, { detail: { index } }));
  }
}
