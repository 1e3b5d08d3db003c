// @ts-check
/** The cube in space: SVG polygons that can be rotated, zoomed, turned and touched. */
import { SOLVED, STICKERS, layerAt, layerOf } from "./cube.js";
import { BODY, eyeOf, multiply, polygons, projectAll, rotation } from "./geometry.js";
import { PALETTE, stickerName } from "./names.js";

/** @typedef {import("./cube.js").Vec3} Vec3 */
/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./names.js").Palette} Palette */

const SVG = "http://www.w3.org/2000/svg";
const HOME = { yaw: -36, pitch: 30, zoom: 1 };
const DRAG = 8; // pixels before a press becomes a drag
const CELL = 1 / 3; // width of a sticker in the picture

/** @param {string} name @param {Record<string, string|number>} attributes @returns {SVGElement} */
export function svgElement(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/**
 * Events: `sticker` (a tap; detail.index) and `turn` (a dragged layer; detail.move). A listener of `turn` calls `turn` or
 * `setStickers` to accept the move; otherwise the layer goes back.
 */
export class CubeView extends EventTarget {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    super();
    this.svg = svg;
    this.stickers = SOLVED;
    /** @type {Palette} */
    this.palette = PALETTE;
    this.view = { ...HOME };
    /** @type {{axis: 0|1|2, layers: number[], angle: number}|undefined} */
    this.turning = undefined;
    /** @type {string|null} */
    this.highlight = null;
    this.marks = new Set();
    /** @type {number|null} */
    this.cursor = null;
    this.stop = () => {};
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", "Cube in space. Drag to rotate it; drag a sticker to turn its layer.");
    svg.style.touchAction = "none";
    svg.style.userSelect = "none";
    /** @type {SVGElement[]} */
    this.nodes = [];
    for (let index = 0; index < BODY + 18; index++) {
      const node = svgElement("polygon", index < BODY ? { "data-index": index, role: "img" } : { "aria-hidden": "true" });
      node.setAttribute("class", index < BODY ? "sticker" : "body");
      this.nodes.push(node);
    }
    svg.append(...this.nodes);
    this.paint();
    this.draw();
    this.listen();
  }

  /** @param {string} stickers @param {Palette} [palette] */
  setStickers(stickers, palette = this.palette) {
    this.stop();
    this.turning = undefined;
    this.stickers = stickers;
    this.palette = palette;
    this.paint();
    this.draw();
  }

  /** @param {Iterable<number>} marks */
  setMarks(marks) {
    this.marks = new Set(marks);
    this.paint();
  }

  /** @param {number|null} index */
  setCursor(index) {
    this.cursor = index;
    this.paint();
  }

  /** @param {string|null} move */
  setHighlight(move) {
    this.highlight = move;
    this.paint();
  }

  /** @param {boolean} shown */
  setSymbols(shown) {
    this.symbols = shown;
    this.paint();
  }

  /** @param {number} yaw @param {number} pitch degrees */
  rotate(yaw, pitch) {
    this.view.yaw += yaw;
    this.view.pitch = Math.max(-89, Math.min(89, this.view.pitch + pitch));
    this.draw();
  }

  reset() {
    this.view = { ...HOME };
    this.draw();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.view.zoom = Math.max(0.6, Math.min(2.5, this.view.zoom * factor));
    this.draw();
  }

  /**
   * Shows a move. Resolves with true at its end, and with false if another call interrupts it. The layer stays turned until the
   * next `setStickers`.
   *
   * @param {string} move @param {{animate?: boolean}} [options] @returns {Promise<boolean>}
   */
  turn(move, { animate = true } = {}) {
    const { axis, layers, quarters } = layerOf(move);
    return this.turnTo({ axis, layers }, quarters * 90, animate);
  }

  /** @param {{axis: 0|1|2, layers: number[]}} layer @param {number} target @param {boolean} animate @returns {Promise<boolean>} */
  turnTo({ axis, layers }, target, animate) {
    const old = this.turning;
    const same = old && old.axis === axis && old.layers.join() === layers.join();
    this.stop();
    const start = same ? old.angle - 360 * Math.round((old.angle - target) / 360) : 0;
    const turning = (this.turning = { axis, layers, angle: start });
    const time = Math.abs(target - start) > 91 ? 260 : 180;
    return new Promise((resolve) => {
      /** @type {number} */
      let frame;
      /** @param {boolean} whole */
      const end = (whole) => {
        cancelAnimationFrame(frame);
        this.stop = () => {};
        turning.angle = target;
        resolve(whole);
      };
      this.stop = () => end(false);
      const begin = performance.now();
      const step = () => {
        const t = animate ? Math.min(1, (performance.now() - begin) / time) : 1;
        turning.angle = start + (target - start) * (1 - (1 - t) ** 3);
        this.draw();
        if (t < 1) frame = requestAnimationFrame(step);
        else end(true);
      };
      step();
    });
  }

  matrix() {
    return multiply(rotation(0, this.view.pitch), rotation(1, this.view.yaw));
  }

  /** Colours and names. */
  paint() {
    const next = this.highlight ? layerOf(this.highlight) : undefined;
    for (const [index, { center }] of STICKERS.entries()) {
      const node = this.nodes[index];
      const symbol = this.stickers[index];
      node.setAttribute("fill", this.palette[symbol] ?? "#8a8f98");
      node.setAttribute("aria-label", stickerName(index, symbol, this.palette));
      node.classList.toggle("marked", this.marks.has(index));
      node.classList.toggle("cursor", this.cursor === index);
      node.classList.toggle("next", Boolean(next?.layers.includes(layerAt(center[next.axis]))));
    }
  }

  draw() {
    const { zoom } = this.view;
    const half = 0.9 / zoom;
    this.svg.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
    const list = polygons({ matrix: this.matrix(), distance: 5 }, this.turning);
    const order = list.map(({ index }) => index).join();
    if (order !== this.order) this.svg.append(...list.map(({ index }) => this.nodes[index]));
    this.order = order;
    const shown = new Set();
    for (const { index, points, front } of list) {
      const node = this.nodes[index];
      shown.add(node);
      node.setAttribute("points", points.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" "));
      node.setAttribute("visibility", front ? "visible" : "hidden");
    }
    for (const node of this.nodes) if (!shown.has(node)) node.setAttribute("visibility", "hidden");
  }

  listen() {
    const { svg } = this;
    /** @type {{x: number, y: number, index: number, moved: boolean, layer?: {axis: 0|1|2, layers: number[], along: Point, sign: number}}|undefined} */
    let press;
    svg.addEventListener("pointerdown", (event) => {
      if (press) return;
      const target = /** @type {Element} */ (event.target).getAttribute("data-index");
      press = { x: event.clientX, y: event.clientY, index: target === null ? -1 : Number(target), moved: false };
      svg.setPointerCapture(event.pointerId);
    });
    svg.addEventListener("pointermove", (event) => {
      if (!press) return;
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      if (!press.moved && Math.hypot(dx, dy) < DRAG) return;
      if (!press.moved && press.index >= 0) press.layer = this.dragged(press.index, [dx, dy]);
      press.moved = true;
      const { layer } = press;
      if (layer) {
        const pixels = (svg.getBoundingClientRect().width / 1.8) * this.view.zoom * CELL;
        const angle = (layer.sign * (dx * layer.along[0] + dy * layer.along[1]) * 40) / pixels;
        this.turning = { axis: layer.axis, layers: layer.layers, angle: Math.max(-180, Math.min(180, angle)) };
        this.draw();
      } else {
        this.rotate(dx * 0.5, dy * 0.5);
        [press.x, press.y] = [event.clientX, event.clientY];
      }
    });
    const up = () => {
      const done = press;
      press = undefined;
      if (!done) return;
      if (!done.moved && done.index >= 0) this.emit("sticker", { index: done.index });
      if (done.layer) this.release();
    };
    svg.addEventListener("pointerup", up);
    svg.addEventListener("pointercancel", up);
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY / 600));
    });
  }

  /** The layer that a drag of a sticker turns. @param {number} index @param {Point} drag */
  dragged(index, drag) {
    const { center, normal } = STICKERS[index];
    const axes = /** @type {(0|1|2)[]} */ ([0, 1, 2].filter((axis) => normal[axis] === 0));
    const view = { matrix: this.matrix(), distance: 5 };
    const options = axes.map((axis) => {
      const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
      const moved = [...center];
      // A small turn about the positive axis moves the sticker along axis x position.
      moved[b] -= 0.1 * center[c];
      moved[c] += 0.1 * center[b];
      const [from, to] = projectAll(view, [center, /** @type {Vec3} */ (moved)]);
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
      const along = /** @type {Point} */ ([(to[0] - from[0]) / length, (to[1] - from[1]) / length]);
      return { axis, layers: [layerAt(center[axis])], along, sign: 1, fit: drag[0] * along[0] + drag[1] * along[1] };
    });
    return Math.abs(options[0].fit) > Math.abs(options[1].fit) ? options[0] : options[1];
  }

  release() {
    const held = this.turning;
    if (!held) return;
    const quarters = Math.round(held.angle / 90);
    if (quarters) this.emit("turn", { move: moveOf(held.axis, held.layers[0], quarters) });
    if (this.turning === held) this.turnTo(held, 0, true).then((whole) => whole && (this.turning = undefined));
  }

  /** @param {string} name @param {object} detail */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** The name of a move of one layer. @param {number} axis @param {number} layer @param {number} quarters */
export function moveOf(axis, layer, quarters) {
  const letter = ["LMR", "DEU", "BSF"][axis][layer + 1];
  if (Math.abs(quarters) === 2) return `${letter}2`;
  return layerOf(letter).quarters === quarters ? letter : `${letter}'`;
}
