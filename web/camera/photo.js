// @ts-check
// One photo per face: the picture, and a grid that is moved and resized with the pointer or the keyboard.

import { svgElement } from "../cube/overlay.js";
import { sampleFace } from "./colour.js";
import { drawGrid, gridOf } from "./grid.js";
import { photo as phrases } from "../sentences.js";

/** Longest side of the copy of a photo, in pixels. */
const LONGEST = 1200;
/** Least size of the grid, as a part of the shorter side. */
const LEAST = 0.15;

export class Photo {
  #canvas = document.createElement("canvas");
  #square = { x: 0, y: 0, size: 1 };
  #grid = gridOf(1, 1, this.#square);
  /** The corners, for resizing; their order is that of the bits of x and y. */
  #corners = [0, 1, 2, 3].map((at) => svgElement("circle", { class: `corner c${at}`, "data-corner": at }));

  /** @param {() => void} onChange the grid or the picture changed */
  constructor(onChange) {
    this.onChange = onChange;
    this.hasPicture = false;
    this.element = document.createElement("div");
    this.element.classList.add("stage", "photo");
    this.#grid.append(...this.#corners);
    this.element.append(this.#canvas, this.#grid);
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.element.addEventListener("pointerdown", (event) => this.#onDown(event));
    this.element.addEventListener("wheel", (event) => {
      if (!this.hasPicture) return;
      event.preventDefault();
      this.#place({ grow: 1 - Math.sign(event.deltaY) * 0.04 });
    });
    this.clear();
  }

  /** Shows a picture file, turned as its EXIF data say. Throws an `Error` if it is no picture. @param {Blob} file */
  async show(file) {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => {
      throw new Error(phrases.theBrowserCannotReadThis);
    });
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    this.#draw(Math.round(picture.width * scale), Math.round(picture.height * scale), (context, width, height) =>
      context.drawImage(picture, 0, 0, width, height),
    );
    picture.close();
    this.hasPicture = true;
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "group");
    this.element.ariaLabel = phrases.photoWithTheGridArrow;
    const size = 0.8 * Math.min(this.#canvas.width, this.#canvas.height);
    this.#square = { x: (this.#canvas.width - size) / 2, y: (this.#canvas.height - size) / 2, size };
    this.#place({});
  }

  /** Turns the picture clockwise by a quarter. */
  rotate() {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [this.#canvas.width, this.#canvas.height];
    copy.getContext("2d")?.drawImage(this.#canvas, 0, 0);
    const { x, y, size } = this.#square;
    this.#square = { x: copy.height - y - size, y: x, size };
    this.#draw(copy.height, copy.width, (context, width) => {
      context.translate(width, 0);
      context.rotate(Math.PI / 2);
      context.drawImage(copy, 0, 0);
    });
    this.#place({});
  }

  /** Drops the picture. */
  clear() {
    this.hasPicture = false;
    this.element.removeAttribute("tabindex");
    this.#canvas.width = this.#canvas.height = 1;
    this.#grid.setAttribute("visibility", "hidden");
  }

  sample() {
    return this.hasPicture ? sampleFace(this.#canvas, this.#square) : null;
  }

  /** @param {number} width @param {number} height @param {(context: CanvasRenderingContext2D, width: number, height: number) => void} draw */
  #draw(width, height, draw) {
    [this.#canvas.width, this.#canvas.height] = [width, height];
    const context = this.#canvas.getContext("2d");
    if (context) draw(context, width, height);
  }

  /** Moves the grid by pixels of the picture and grows it about its middle, within the picture. @param {{x?: number, y?: number, grow?: number}} by */
  #place({ x = 0, y = 0, grow = 1 }) {
    const { width, height } = this.#canvas;
    const shorter = Math.min(width, height);
    const size = clamp(this.#square.size * grow, LEAST * shorter, shorter);
    const half = (this.#square.size - size) / 2;
    this.#square = {
      x: clamp(this.#square.x + half + x, 0, width - size),
      y: clamp(this.#square.y + half + y, 0, height - size),
      size,
    };
    this.#grid.setAttribute("visibility", "visible");
    drawGrid(this.#grid, width, height, this.#square);
    this.#corners.forEach((corner, at) => {
      corner.setAttribute("cx", String(this.#square.x + (at & 1) * size));
      corner.setAttribute("cy", String(this.#square.y + (at >> 1) * size));
      corner.setAttribute("r", String(0.03 * shorter));
    });
    this.onChange();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.hasPicture || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = Math.min(this.#canvas.width, this.#canvas.height) * (event.shiftKey ? 0.05 : 0.01);
    const by = {
      ArrowLeft: { x: -step },
      ArrowRight: { x: step },
      ArrowUp: { y: -step },
      ArrowDown: { y: step },
      "+": { grow: 1.03 },
      "=": { grow: 1.03 },
      "-": { grow: 1 / 1.03 },
    }[event.key];
    if (!by) return;
    event.preventDefault();
    this.#place(by);
  }

  /** @param {PointerEvent} event */
  #onDown(event) {
    if (!this.hasPicture || event.button !== 0) return;
    event.preventDefault();
    this.element.focus({ preventScroll: true });
    const corner = /** @type {Element} */ (event.target).getAttribute("data-corner");
    const scale = this.#canvas.width / this.element.clientWidth;
    const start = { ...this.#square };
    /** @param {PointerEvent} now */
    const move = (now) => {
      const [x, y] = [(now.clientX - event.clientX) * scale, (now.clientY - event.clientY) * scale];
      if (corner === null) {
        this.#square = { ...start };
        return this.#place({ x, y });
      }
      // The opposite corner stays where it is.
      const { width, height } = this.#canvas;
      const [right, low] = [Number(corner) & 1, Number(corner) >> 1];
      const pull = ((right ? x : -x) + (low ? y : -y)) / 2;
      const room = [right ? width - start.x : start.x + start.size, low ? height - start.y : start.y + start.size];
      const size = clamp(start.size + pull, LEAST * Math.min(width, height), Math.min(...room));
      this.#square = {
        x: right ? start.x : start.x + start.size - size,
        y: low ? start.y : start.y + start.size - size,
        size,
      };
      this.#place({});
    };
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener("pointermove", move);
    const end = () => this.element.removeEventListener("pointermove", move);
    for (const name of ["pointerup", "pointercancel"]) this.element.addEventListener(name, end, { once: true });
  }
}

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));
