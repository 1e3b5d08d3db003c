// @ts-check
/** Signs on a sticker: a letter, the outline and symbol of a mark, the outline of the cursor. Shared by both views. */
import { FACES, STICKERS } from "./cube.js";
import { letterOf, stickerName } from "./names.js";
import { overlay as phrases } from "../sentences.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string|number>} attributes @returns {SVGElement} */
export function svgElement(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** Share of its brightness that a face turned away from the light loses. */
const SHADE = 0.16;

/** A colour in a light from 0 to 1. @param {string} hex @param {number} light */
function shaded(hex, light) {
  const factor = 1 - SHADE * (1 - light);
  const channels = [1, 3, 5].map((at) => Math.round(parseInt(hex.slice(at, at + 2), 16) * factor));
  return `rgb(${channels})`;
}

/** Black or white, whichever stands out on a colour. @param {string} hex */
function contrast(hex) {
  const [r, g, b] = [1, 3, 5].map((at) => (parseInt(hex.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.179 ? "#000" : "#fff";
}

/** @typedef {import("./names.js").Palette} Palette */
/**
 * @typedef {object} Look what is shown on the stickers
 * @property {string} stickers
 * @property {Palette} palette
 * @property {Set<number>} marks
 * @property {Set<number>} dots stickers that the page filled in
 * @property {number|null} cursor
 * @property {boolean} symbols
 * @property {Set<number>|null} [focus] stickers that stand out; null for all alike
 * @property {boolean} [names] whether centres without another sign have the letter of their face
 */

/** Attributes of a sign: it is ten units high, and its middle is at the origin. */
const TEXT = { class: "sign", "aria-hidden": "true", "text-anchor": "middle", "font-size": 10, y: 3.6 };

/** The sign of a sticker that the page filled in. */
const DOT = "\u25cf";

/** A group with the shape of one sticker, and signs on it that are made when they are first needed. */
export class StickerNode {
  /** @param {number} index @param {SVGElement} shape */
  constructor(index, shape) {
    this.index = index;
    this.shape = shape;
    this.group = svgElement("g");
    shape.setAttribute("data-index", String(index));
    shape.setAttribute("class", "sticker");
    this.group.append(shape);
    /** @type {SVGElement[]} */
    this.rings = [];
    /** @type {SVGElement|undefined} */
    this.text = undefined;
    this.drawn = "";
    /** The colour without shade; empty for none. */
    this.colour = "";
    this.light = 1;
  }

  /** @param {number} light from 0 to 1 */
  shade(light) {
    const rounded = Math.round(light * 50) / 50;
    if (rounded === this.light) return;
    this.light = rounded;
    if (this.colour) this.shape.setAttribute("fill", shaded(this.colour, rounded));
  }

  /** Whether there is anything beside the shape to be placed. */
  get signed() {
    return this.rings.length > 0 || this.text !== undefined;
  }

  /** @param {Look} look @returns {boolean} whether anything changed, so that the signs must be placed again */
  paint({ stickers, palette, marks, dots, cursor, symbols, focus, names }) {
    const { index, shape, group } = this;
    const symbol = stickers[index];
    const colour = palette[symbol];
    const marked = marks.has(index);
    const selected = cursor === index;
    const faceName = names && index % 9 === 4 ? FACES[(index - 4) / 9] : "";
    const dotted = dots.has(index);
    const sign = marked ? "!" : dotted ? DOT : symbols && colour ? letterOf(symbol, palette) : faceName;
    const faded = focus && !focus.has(index) ? " faded" : "";
    const drawn = [colour, marked, selected, sign, faded].join();
    if (drawn === this.drawn) return false;
    this.drawn = drawn;
    this.colour = colour ?? "";
    if (colour) shape.setAttribute("fill", shaded(colour, this.light));
    else shape.removeAttribute("fill");
    shape.setAttribute("class", `sticker${colour ? "" : " unpainted"}${faded}`);
    const name = stickerName(index, symbol, palette);
    const label = marked ? phrases.checkThisPiece(name) : dotted ? phrases.filledIn(name) : name;
    if (shape.hasAttribute("role")) shape.setAttribute("aria-label", label);
    const rings = [...(marked ? ["casing", "mark"] : []), ...(selected ? ["casing", "cursor"] : [])];
    for (const old of this.rings) old.remove();
    this.rings = rings.map((name) => svgElement(shape.tagName, { class: `ring ${name}`, "aria-hidden": "true" }));
    shape.after(...this.rings);
    if (sign) {
      this.text ??= group.appendChild(svgElement("text", TEXT));
      if (colour) this.text.setAttribute("fill", contrast(colour));
      else this.text.removeAttribute("fill");
      for (const name of /** @type {const} */ (["font-size", "y"]))
        this.text.setAttribute(name, String(TEXT[name] * (sign === DOT ? 0.6 : 1)));
      this.text.textContent = sign;
    } else {
      this.text?.remove();
      this.text = undefined;
    }
    return true;
  }
}

/** The centre of each sticker, and points a little to the right of it and below it. */
export const FRAMES = STICKERS.map(({ center, corners: [a, b, , d] }) =>
  [center, b, d].map(
    (to) =>
      /** @type {import("./cube.js").Vec3} */ (
        center.map((value, i) => value + (to === center ? 0 : 0.1 * (to[i] - a[i])))
      ),
  ),
);
