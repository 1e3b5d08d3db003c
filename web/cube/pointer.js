// @ts-check
/** Mouse, pen and fingers on the cube: taps, dragged layers, rotation, zoom. */
import { STICKERS, layerAt } from "./cube.js";
import { projectAll } from "./geometry.js";

/** @typedef {import("./cube.js").Vec3} Vec3 */
/** @typedef {import("./cube-view.js").CubeView} CubeView */
/**
 * @typedef {{axis: 0|1|2, layer: number, along: [number, number]}} Grip a layer, and the pixels that it moves per
 * degree
 */

/** Pixels before a press becomes a drag: a finger is less exact than a mouse. */
const THRESHOLD = { mouse: 5, pen: 5, touch: 9 };
const DEGREES_PER_PIXEL = 0.45;

/** @param {CubeView} view */
export function listen(view) {
  const { svg } = view;
  /** Positions of all pointers that are down. @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  /** @type {{id: number, x: number, y: number, index: number, drag: boolean, grip?: Grip, angle: number}|undefined} */
  let press;

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    down.set(id, { x, y });
    svg.setPointerCapture(id);
    if (down.size > 1) {
      if (press?.grip) view.drop(press.grip, 0);
      press = undefined;
      return;
    }
    const index = /** @type {Element} */ (event.target).getAttribute("data-index");
    press = { id, x, y, index: index === null ? -1 : Number(index), drag: false, angle: 0 };
  });

  svg.addEventListener("pointermove", (event) => {
    const old = down.get(event.pointerId);
    if (!old) return;
    const now = { x: event.clientX, y: event.clientY };
    if (down.size === 2) pinch(event.pointerId, old, now);
    down.set(event.pointerId, now);
    if (press?.id !== event.pointerId) return;
    const [dx, dy] = [now.x - press.x, now.y - press.y];
    if (!press.drag) {
      const kind = /** @type {keyof typeof THRESHOLD} */ (event.pointerType);
      if (Math.hypot(dx, dy) < (THRESHOLD[kind] ?? 5)) return;
      press.drag = true;
      if (press.index >= 0 && !view.isLocked) press.grip = gripOf(view, press.index, dx, dy);
      [press.x, press.y] = [now.x, now.y];
      return;
    }
    if (press.grip) {
      const [ax, ay] = press.grip.along;
      press.angle = (dx * ax + dy * ay) / (ax * ax + ay * ay);
      view.hold(press.grip, press.angle);
    } else {
      view.rotate((now.x - old.x) * DEGREES_PER_PIXEL, (now.y - old.y) * DEGREES_PER_PIXEL);
    }
  });

  /** @param {PointerEvent} event */
  const up = (event) => {
    down.delete(event.pointerId);
    if (press?.id !== event.pointerId) return;
    const { index, drag, grip, angle } = press;
    press = undefined;
    const cancelled = event.type === "pointercancel";
    if (grip) view.drop(grip, cancelled ? 0 : angle);
    else if (!drag && index >= 0 && !cancelled) view.emit("sticker", { index });
  };
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", up);

  // Screen readers click without a pointer.
  svg.addEventListener("click", (event) => {
    const index = /** @type {Element} */ (event.target).getAttribute("data-index");
    if (event.detail === 0 && index !== null) view.emit("sticker", { index: Number(index) });
  });

  svg.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      view.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.0015)));
    },
    { passive: false },
  );

  /**
   * Two fingers zoom by their distance and rotate by their mean.
   *
   * @param {number} id
   * @param {{x: number, y: number}} old
   * @param {{x: number, y: number}} now
   */
  function pinch(id, old, now) {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const distance = (/** @type {{x: number, y: number}} */ p) => Math.hypot(p.x - other.x, p.y - other.y);
    view.zoom(distance(now) / Math.max(1, distance(old)));
    view.rotate(((now.x - old.x) / 2) * DEGREES_PER_PIXEL, ((now.y - old.y) / 2) * DEGREES_PER_PIXEL);
  }
}

/**
 * The layer that a drag of a sticker turns. A sticker can move in two directions; the one whose image fits the drag
 * better wins.
 *
 * @param {CubeView} view @param {number} index @param {number} dx @param {number} dy @returns {Grip}
 */
function gripOf(view, index, dx, dy) {
  const { center, normal } = STICKERS[index];
  const grips = /** @type {(0|1|2)[]} */ ([0, 1, 2])
    .filter((axis) => normal[axis] === 0)
    .map((axis) => {
      // The direction in which a small turn about the positive axis moves the point of the face above the axis.
      const [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
      const moved = /** @type {Vec3} */ ([...center]);
      moved[b] -= 0.1 * normal[c];
      moved[c] += 0.1 * normal[b];
      const [from, to] = projectAll(view.eye(), [center, moved]);
      const pixels = view.pixels() * 10 * 1.5 * (Math.PI / 180);
      const [x, y] = [to[0] - from[0], to[1] - from[1]];
      // Directions that are nearly along the line of sight must not turn the layer faster than the finger can follow.
      const scale = pixels * Math.max(1, 0.02 / Math.hypot(x, y));
      const fit = Math.abs(dx * x + dy * y) / Math.hypot(x, y);
      return {
        axis,
        layer: layerAt(center[axis]),
        along: /** @type {[number, number]} */ ([x * scale, y * scale]),
        fit,
      };
    });
  return grips[0].fit > grips[1].fit ? grips[0] : grips[1];
}
