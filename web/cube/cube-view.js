// @ts-check
/** The cube in space: SVG polygons that can be rotated, zoomed, turned and touched. */
import { arrows } from "./arrow.js";
import { FACES, SOLVED, STICKERS, layerAt, layerOf, moveBetween, moveOf } from "./cube.js";
import { BODY, multiply, polygons, projectAll, rotation } from "./geometry.js";
import { PALETTE } from "./names.js";
import { FRAMES, StickerNode, svgElement } from "./overlay.js";
import { listen } from "./pointer.js";
import { cubeView as phrases } from "../sentences.js";

/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {import("./geometry.js").Turning} Turning */
/** @typedef {import("./names.js").Palette} Palette */

const HOME = { yaw: -34, pitch: 30, zoom: 1 };
const DISTANCE = 5;
const QUARTER_MS = 180;
export const HALF_MS = 260;
const FADE_MS = 60;
const GLIDE_MS = 300;
const SPIN_MS = 1400;
/** Degrees after which a dragged layer goes on by itself. */
const SNAP = 30;
/** Size of a sign relative to its sticker. */
const SIGN = 0.55;
/** Half of the part of the picture that is shown: the cube in any rotation fits. */
const EXTENT = 0.9;
/** The same while floating stickers are shown. */
const HINT_EXTENT = 1.2;

/** The views in which each face is seen: the cube turns round for the sides, and is tipped for the bottom. */
const FACE_VIEWS = /** @type {Record<string, typeof HOME>} */ ({
  U: HOME,
  F: HOME,
  R: { ...HOME, yaw: HOME.yaw - 90 },
  B: { ...HOME, yaw: HOME.yaw - 180 },
  L: { ...HOME, yaw: HOME.yaw - 270 },
  D: { ...HOME, pitch: -HOME.pitch },
});

/** The corners of each face. */
const FACE_CORNERS = [...FACES].map((_, face) => [0, 2, 8, 6].map((at, n) => STICKERS[9 * face + at].corners[n]));

/** @param {{yaw: number, pitch: number}} pose @returns {import("./geometry.js").View} */
const viewOf = ({ yaw, pitch }) => ({ matrix: multiply(rotation(0, pitch), rotation(1, yaw)), distance: DISTANCE });

/** The view before the user rotates the cube. */
export const HOME_VIEW = viewOf(HOME);

/**
 * Events: `sticker` (a tap; detail.index), `move` (a layer that was dragged to its end; detail.move) and `pose` (another
 * rotation or size). A listener of `move` accepts the move by `setStickers`; otherwise the layer goes back.
 *
 * `setStickers` animates by itself if one move leads from the old stickers to the new ones.
 */
export class CubeView extends EventTarget {
  /** @type {import("./overlay.js").Look} */
  #look = { stickers: SOLVED, palette: PALETTE, marks: new Set(), dots: new Set(), cursor: null, symbols: false };
  #pose = { ...HOME };
  /** Where the cube is on its way to. @type {typeof HOME|null} */
  #glide = null;
  /** Layers that are being turned, or stay turned until the next `setStickers`. @type {Turning|null} */
  #turning = null;
  /** @type {string|null} */
  #highlight = null;
  /** The face with a frame. @type {string|null} */
  #framed = null;
  /** Whether a drag of a sticker rotates the cube, because layers must not turn. */
  isLocked = false;
  #hints = false;
  /** Ends the animation that runs, at its target. */
  #finish = () => {};
  /** Whether layers are being moved, by an animation or by the pointer. */
  #busy = false;
  #order = "";
  #frame = 0;

  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    super();
    this.svg = svg;
    // One picture for a screen reader. The net names the stickers.
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", phrases.label);
    svg.classList.add("cube-view");
    svg.style.touchAction = "none";
    svg.style.userSelect = "none";
    this.nodes = [...Array(BODY).keys()].map((index) => new StickerNode(index, svgElement("polygon")));
    const bodies = [...Array(18).keys()].map(() => svgElement("polygon", { class: "body", "aria-hidden": "true" }));
    /** The element to be ordered and the polygon of each index. */
    this.parts = [
      ...this.nodes.map(({ group, shape }) => ({ group, shape })),
      ...bodies.map((shape) => ({ group: shape, shape })),
    ];
    /** What each polygon shows, so that unchanged ones are not written again. */
    this.written = this.parts.map(() => "");
    for (const { group } of this.parts) group.setAttribute("display", "none");
    this.arrows = [0, 1, 2].map(() => svgElement("polygon", { class: "arrow", "aria-hidden": "true" }));
    this.outline = ["casing", "face"].map((name) =>
      svgElement("polygon", { class: `ring ${name}`, "aria-hidden": "true" }),
    );
    svg.append(...this.parts.map(({ group }) => group), ...this.outline, ...this.arrows);
    this.#paint();
    this.#posed();
    this.draw();
    listen(this);
  }

  /** @param {string} stickers @param {Palette} [palette] @param {{animate?: boolean}} [options] */
  setStickers(stickers, palette = this.#look.palette, { animate = true } = {}) {
    const old = this.#look.stickers;
    if (stickers === old && this.#busy) {
      this.#look = { ...this.#look, palette };
      return this.#paint();
    }
    this.#finish();
    if (this.#look.stickers !== old) return; // a listener of the move that just ended set newer ones
    const move = this.#turning || !animate ? null : moveBetween(old, stickers);
    this.#turning = null;
    this.#look = { ...this.#look, stickers, palette };
    this.#paint();
    if (!move) return this.#schedule();
    const { axis, layers, quarters } = layerOf(move);
    void this.#animate({ axis, layers, angle: -90 * quarters }, 0, () => (this.#turning = null));
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
    this.#set({ cursor });
  }

  /** @param {boolean} symbols */
  setSymbols(symbols) {
    this.#set({ symbols });
  }

  /** Fades all other stickers. @param {Set<number>|null} focus null for none */
  setFocus(focus) {
    this.#set({ focus });
  }

  /** Shows the stickers of the hidden faces behind the cube. @param {boolean} hints */
  setHints(hints) {
    if (hints === this.#hints) return;
    this.#hints = hints;
    this.#posed();
  }

  /** Shows the layer that a move turns, and the direction. @param {string|null} move */
  setHighlight(move) {
    if (move === this.#highlight) return;
    this.#highlight = move;
    this.#schedule();
  }

  /** Frames a face, and turns the cube so that it is seen. Without a face the cube goes back. @param {string|null} face */
  setFrame(face) {
    if (face === this.#framed) return;
    this.#framed = face;
    this.#glideTo(face ? { ...FACE_VIEWS[face], zoom: this.#pose.zoom } : HOME);
    this.#schedule();
  }

  /** @param {number} yaw degrees to the right @param {number} pitch degrees towards the viewer */
  rotate(yaw, pitch) {
    this.#glide = null;
    const pose = this.#pose;
    pose.yaw += yaw;
    pose.pitch = Math.max(-89, Math.min(89, pose.pitch + pitch));
    this.#posed();
  }

  /** @param {number} factor */
  zoom(factor) {
    this.#glide = null;
    const pose = this.#pose;
    pose.zoom = Math.max(0.5, Math.min(2.5, pose.zoom * factor));
    this.#posed();
  }

  /** Goes back to the first rotation and size, in the shorter direction. */
  reset() {
    if (!this.isHome()) this.#glideTo(HOME);
  }

  /** Goes to a rotation and size, in the shorter direction. @param {typeof HOME} target */
  #glideTo(target) {
    this.#glide = null;
    const { yaw, pitch, zoom } = this.#pose;
    if (yaw === target.yaw && pitch === target.pitch && zoom === target.zoom) return;
    const around = (((yaw - target.yaw + 180) % 360) + 360) % 360;
    this.#go({ yaw: target.yaw + around - 180, pitch, zoom }, target, GLIDE_MS);
  }

  /** Turns once about the upright axis, from the first rotation to itself. */
  spin() {
    this.#go({ ...HOME, yaw: HOME.yaw - 360 }, HOME, SPIN_MS);
  }

  /** @param {{yaw: number, pitch: number}} pose */
  look({ yaw, pitch }) {
    this.#glide = null;
    this.#pose = { ...HOME, yaw, pitch };
    this.#posed();
  }

  /** Moves from one rotation and size to another. @param {typeof HOME} from @param {typeof HOME} to @param {number} time milliseconds */
  #go(from, to, time) {
    const begin = performance.now();
    const isInstant = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const mine = (this.#glide = { ...to });
    const step = () => {
      if (this.#glide !== mine) return;
      const t = isInstant ? 1 : Math.min(1, (performance.now() - begin) / time);
      const left = 1 - t * t * (3 - 2 * t);
      const mix = (/** @type {keyof typeof HOME} */ key) => to[key] + left * (from[key] - to[key]);
      this.#pose = { yaw: mix("yaw"), pitch: mix("pitch"), zoom: mix("zoom") };
      if (t === 1) this.#glide = null;
      else requestAnimationFrame(step);
      this.#posed();
    };
    step();
  }

  /** Whether the cube has its first rotation and size, or is on its way there. */
  isHome() {
    const { yaw, pitch, zoom } = this.#glide ?? this.#pose;
    return yaw === HOME.yaw && pitch === HOME.pitch && zoom === HOME.zoom;
  }

  #extent() {
    return this.#hints ? HINT_EXTENT : EXTENT;
  }

  /** Shows another rotation or size. */
  #posed() {
    const half = this.#extent() / this.#pose.zoom;
    this.svg.setAttribute("viewBox", `${-half} ${-half} ${2 * half} ${2 * half}`);
    this.#schedule();
    this.emit("pose", {});
  }

  /**
   * Shows a move. Resolves with true at its end, and with false if another call ended it early. The layer stays turned
   * until the next `setStickers`.
   *
   * @param {string} move @param {{animate?: boolean}} [options] @returns {Promise<boolean>}
   */
  showMove(move, { animate = true } = {}) {
    const { axis, layers, quarters } = layerOf(move);
    this.#finish();
    this.#turning = null;
    return this.#animate({ axis, layers, angle: animate ? 0 : 90 * quarters }, 90 * quarters);
  }

  /** Shows a layer that is being dragged. @param {{axis: 0|1|2, layer: number}} grip @param {number} angle */
  hold({ axis, layer }, angle) {
    this.#finish();
    this.#turning = { axis, layers: [layer], angle };
    this.#busy = true;
    this.#schedule();
  }

  /**
   * Lets a dragged layer go: from `SNAP` degrees on it goes on to the next quarter.
   *
   * @param {{axis: 0|1|2, layer: number}} grip
   * @param {number} angle
   */
  drop({ axis, layer }, angle) {
    const quarters = Math.sign(angle) * Math.floor((Math.abs(angle) + 90 - SNAP) / 90);
    this.#finish();
    const turning = { axis, layers: [layer], angle };
    const move = moveOf(axis, layer, quarters);
    const back = () => (this.#turning = null);
    void this.#animate(turning, 90 * quarters, () => {
      if (!move) return back();
      this.emit("move", { move });
      if (this.#turning === turning) void this.#animate(turning, turning.angle - 90 * quarters, back);
    });
  }

  /** @param {string} type @param {object} detail */
  emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** The rotation and the eye, for projections. @returns {import("./geometry.js").View} */
  eye() {
    return viewOf(this.#pose);
  }

  /** Pixels per edge of the cube. */
  pixels() {
    const { width, height } = this.svg.getBoundingClientRect();
    return (Math.min(width, height) / (2 * this.#extent())) * this.#pose.zoom;
  }

  /** Draws now. */
  draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const eye = this.eye();
    const next = this.#highlight && !this.#turning ? this.#highlight : null;
    const still = next ? { ...layerOf(next), angle: 0 } : undefined;
    const list = polygons(eye, this.#turning ?? still, undefined, this.#hints);
    const order = list.map(({ index }) => index).join();
    if (order !== this.#order) {
      this.#order = order;
      this.svg.append(...list.map(({ index }) => this.parts[index].group), ...this.outline, ...this.arrows);
    }
    const hidden = new Set(this.parts.keys());
    for (const { index, points, front, hint, turns, light } of list) {
      if (!front && !hint) continue;
      hidden.delete(index);
      const text = pointsText(points);
      const { shape, group } = this.parts[index];
      if (index >= BODY) shape.classList.toggle("next", Boolean(still && turns));
      else {
        this.nodes[index].shade(light);
        group.classList.toggle("hint", hint);
      }
      if (text === this.written[index]) continue;
      if (!this.written[index]) group.removeAttribute("display");
      this.written[index] = text;
      shape.setAttribute("points", text);
      if (index < BODY && this.nodes[index].signed) this.#placeSigns(index, text, turns ? this.#turnedEye(eye) : eye);
    }
    for (const index of hidden) {
      if (this.written[index]) this.parts[index].group.setAttribute("display", "none");
      this.written[index] = "";
    }
    const corners = this.#framed === null ? [] : FACE_CORNERS[FACES.indexOf(this.#framed)];
    const framed = list.some(({ index, front }) => front && STICKERS[index]?.face === this.#framed) ? corners : [];
    for (const line of this.outline) line.setAttribute("points", pointsText(projectAll(eye, framed)));
    const shown = next ? arrows(next, eye) : [];
    for (const [n, arrow] of this.arrows.entries()) arrow.setAttribute("points", pointsText(shown[n] ?? []));
  }

  /** Draws once in the next frame. */
  #schedule() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.draw());
  }

  /** @param {Partial<import("./overlay.js").Look>} look */
  #set(look) {
    this.#look = { ...this.#look, ...look };
    this.#paint();
  }

  #paint() {
    for (const [index, node] of this.nodes.entries())
      if (node.paint(this.#look) && this.written[index]) this.written[index] = "changed";
    this.#schedule();
  }

  /** @param {import("./geometry.js").View} eye */
  #turnedEye(eye) {
    const { axis, angle } = /** @type {Turning} */ (this.#turning ?? { axis: 0, angle: 0 });
    return { ...eye, matrix: multiply(eye.matrix, rotation(axis, angle)) };
  }

  /**
   * Puts the signs of a sticker in its plane.
   *
   * @param {number} index
   * @param {string} points
   * @param {import("./geometry.js").View} eye
   */
  #placeSigns(index, points, eye) {
    const { rings, text } = this.nodes[index];
    for (const ring of rings) ring.setAttribute("points", points);
    if (!text) return;
    const [p, right, below] = projectAll(eye, FRAMES[index]);
    const [a, b, c, d] = [right[0] - p[0], right[1] - p[1], below[0] - p[0], below[1] - p[1]];
    text.setAttribute(
      "transform",
      `matrix(${[...[a, b, c, d].map((x) => x * SIGN), ...p].map((x) => x.toFixed(4)).join()})`,
    );
  }

  /**
   * Moves layers from their angle to another one.
   *
   * @param {Turning} turning
   * @param {number} target
   * @param {() => void} [done] called at the end, before anything else happens
   * @returns {Promise<boolean>} true unless another call ended it early
   */
  #animate(turning, target, done) {
    this.#turning = turning;
    this.#busy = true;
    const start = turning.angle;
    const fades = start !== target && matchMedia("(prefers-reduced-motion: reduce)").matches;
    const time = start === target ? 0 : fades ? FADE_MS : Math.abs(target - start) > 91 ? HALF_MS : QUARTER_MS;
    const begin = performance.now();
    return new Promise((resolve) => {
      /** @param {boolean} whole */
      const end = (whole) => {
        cancelAnimationFrame(frame);
        this.#finish = () => {};
        this.#busy = false;
        turning.angle = target;
        this.#schedule();
        done?.();
        resolve(whole);
      };
      let frame = 0;
      const step = () => {
        const t = time ? Math.min(1, (performance.now() - begin) / time) : 1;
        turning.angle = fades ? target : start + (target - start) * (1 - (1 - t) ** 3);
        this.draw();
        if (t < 1) frame = requestAnimationFrame(step);
        else end(true);
      };
      this.#finish = () => end(false);
      if (fades) this.#fade(turning);
      step();
    });
  }

  /** @param {Turning} turning */
  #fade({ axis, layers }) {
    for (const { group, index } of this.nodes)
      if (layers.includes(layerAt(STICKERS[index].center[axis])))
        group.animate([{ opacity: 0.2 }, { opacity: 1 }], { duration: FADE_MS });
  }
}

/** @param {Point[]} points */
const pointsText = (points) => points.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" ");
