// @ts-check
// The net of a scan, to be compared with the cube and corrected: one click changes a sticker, a repair or another cube is one button.

import { svgElement } from "../cube/overlay.js";
import { factOf, onePerPiece } from "../cube/faults.js";
import { colorName, letterOf, placeName } from "../cube/names.js";
import { NetView } from "../cube/net-view.js";
import { pointed } from "../panels/preview.js";
import { cssOf } from "./colour.js";
import { centreOf } from "./holding.js";
import { inColoursOf } from "../actions.js";
import { button, h, isTouch, sentence } from "../dom.js";
import { review as phrases } from "../sentences.js";

/** @typedef {import("./reading.js").Reading} Reading */

/** What the page says of a cube without errors. */
const POSSIBLE = phrases.possible;
/** Most changes of a repair that its button names one by one. */
const NAMED = 4;

/** @param {string} a @param {string} b @returns {number[]} */
const differences = (a, b) => [...a].flatMap((letter, at) => (letter === b[at] ? [] : [at]));

/** @param {number} index */
const isCentre = (index) => index % 9 === 4;

/**
 * Shows a reading.
 *
 * @param {HTMLElement} element
 * @param {object} options
 * @param {Reading} options.reading
 * @param {{post: (path: string, body: unknown) => Promise<any>}} options.api
 * @param {Record<string, string>} options.palette
 * @param {(stickers: string) => void} options.onAccept
 * @param {() => void} options.onAgain
 */
export function showReview(element, { reading, api, palette, onAccept, onAgain }) {
  let stickers = reading.choices[0].stickers;
  const doubtful = new Set(reading.doubtful);
  /** @type {number[]} */
  let marks = [];
  let asked = 0;
  /** The sticker that the line below the net describes. */
  let described = -1;

  /** A question mark for each sticker. @type {SVGElement[]} */
  const signs = [];

  const svg = /** @type {SVGSVGElement} */ (svgElement("svg", { class: "net" }));
  const net = new NetView(svg);
  for (const { shape } of net.nodes) {
    const [x, y] = ["x", "y"].map((name) => Number(shape.getAttribute(name)) + 0.44);
    const sign = svgElement("text", { x, y: y + 0.2, class: "question", "aria-hidden": "true" });
    sign.textContent = "?";
    svg.append(sign);
    signs.push(sign);
  }
  const verdict = h("div", { class: "verdict", role: "status" });
  const detail = h("p", { class: "detail", role: "status" });
  const hold = h("p", { class: "quiet" });
  const choices = h("div", { class: "choices", role: "group", ariaLabel: phrases.possibleCubes });
  const repairs = h("div", { class: "choices", role: "group", ariaLabel: phrases.repairs });
  const accept = button(phrases.useThisCube, () => onAccept(stickers), { class: "primary" });
  element.replaceChildren(
    h("div", { class: "netbox" }, svg, detail),
    h(
      "div",
      { class: "check" },
      h("h3", {}, phrases.checkTheCube),
      verdict,
      choices,
      repairs,
      hold,
      h("p", { class: "quiet" }, isTouch() ? phrases.tapToChange : phrases.clickToChange),
      h("div", { class: "row" }, accept, button(phrases.scanFacesAgain, onAgain)),
    ),
  );

  /** Draws the net, or another cube that a button stands for. @param {string} [preview] */
  function draw(preview) {
    const cube = preview ?? stickers;
    net.setStickers(cube, palette);
    net.setMarks(marks);
    const [top, front] = ["U", "F"].map((face) => colorName(palette[cube[centreOf(face)]]));
    hold.textContent = phrases.hold(top, front);
    const changed = new Set(preview ? differences(stickers, preview) : []);
    for (const [at, { group, shape }] of net.nodes.entries()) {
      group.classList.toggle("changed", changed.has(at));
      signs[at].classList.toggle("shown", doubtful.has(at) && !marks.includes(at));
      const [name] = (shape.getAttribute("aria-label") ?? "").split(phrases.uncertain);
      shape.setAttribute("aria-label", doubtful.has(at) ? `${name}${phrases.uncertain}` : name);
    }
  }

  /** @param {number} index */
  function describe(index) {
    described = index;
    const color = colorName(palette[stickers[index]]);
    const swatch = h("i", { class: "swatch", ariaHidden: "true" });
    swatch.style.background = cssOf(reading.samples[index]);
    detail.replaceChildren(
      phrases.isScannedColour(placeName(index), color, doubtful.has(index) ? phrases.uncertain : ""),
      swatch,
    );
  }

  /** @param {number} index */
  function change(index) {
    const before = stickers[index];
    // The colours go round, the nearest to the sample first.
    const order = reading.orders[index];
    const after = order[(order.indexOf(before) + 1) % order.length];
    const swapped = (/** @type {string} */ letter) => (letter === before ? after : letter === after ? before : letter);
    if (isCentre(index)) adopt([...stickers].map(swapped).join(""));
    else {
      doubtful.delete(index);
      adopt(stickers.slice(0, index) + after + stickers.slice(index + 1));
    }
    describe(index);
  }

  /** @param {string} cube */
  function adopt(cube) {
    stickers = cube;
    marks = [];
    draw();
    if (described >= 0) describe(described);
    void check();
  }

  /** A button for another cube. It shows the cube while it is pointed at. @param {string} text @param {string} cube */
  function offer(text, cube) {
    const use = () => {
      for (const at of differences(stickers, cube)) doubtful.delete(at);
      adopt(cube);
      accept.focus();
    };
    return button(
      text,
      use,
      pointed(
        () => draw(cube),
        () => draw(),
      ),
    );
  }

  /** @param {string} cube */
  function namesOf(cube) {
    const changed = differences(stickers, cube);
    if (changed.length > NAMED) return phrases.changeStickers(changed.length);
    return changed.map((at) => `${placeName(at)} ${colorName(palette[cube[at]])}`).join(", ");
  }

  function drawChoices() {
    const list = reading.choices.length > 1 ? reading.choices : [];
    choices.replaceChildren(
      ...list.map(({ stickers: cube, label }, at) => {
        const node = offer(phrases.cube(at + 1, cube === stickers ? phrases.shown : namesOf(cube), label), cube);
        node.ariaPressed = String(cube === stickers);
        return node;
      }),
    );
  }

  /** Asks the service whether the cube exists, and shows its sentence and its repairs if not. */
  async function check() {
    const turn = ++asked;
    drawChoices();
    if (reading.choices.some((choice) => choice.stickers === stickers)) {
      repairs.replaceChildren();
      verdict.replaceChildren(sentence(reading.sentence));
      return;
    }
    // Sentences of the service name the symbols that it gets, so it gets the first letters of the colours.
    const facelets = [...stickers].map((letter) => letterOf(letter, palette)).join("");
    const problem = await api.post("/convert", { facelets, to: ["facelets"] }).then(
      () => null,
      (error) => error,
    );
    if (turn !== asked) return;
    const own =
      problem?.code === "impossible_cube" ? /** @type {import("../types").Violation[]} */ (problem.violations) : null;
    // A wrong count concerns all stickers of a colour.
    marks = onePerPiece((own ?? []).filter(({ code }) => code !== "symbol_count").flatMap(({ stickers: at }) => at));
    const details = own ? own.map(({ message }) => message) : [problem?.detail ?? POSSIBLE];
    const fact = own ? factOf(own, stickers, palette) : "";
    const list = details.map(sentence);
    const found = problem?.repairs?.repairs ?? [];
    const why = h("details", { open: !found.length }, h("summary", {}, phrases.why), ...list);
    verdict.replaceChildren(...(fact ? [h("p", {}, h("strong", {}, fact)), why] : list));
    repairs.replaceChildren(
      ...found.map((/** @type {{facelets: string}} */ repair) => {
        const cube = inColoursOf(repair.facelets, stickers);
        return offer(phrases.repair(namesOf(cube)), cube);
      }),
    );
    draw();
  }

  net.addEventListener("sticker", (event) => change(/** @type {CustomEvent} */ (event).detail.index));
  net.addEventListener("cursor", (event) => describe(/** @type {CustomEvent} */ (event).detail.index));
  svg.addEventListener("pointermove", (event) => {
    const index = /** @type {Element} */ (event.target).getAttribute("data-index");
    if (index !== null) describe(Number(index));
  });
  draw();
  void check();
  accept.focus({ preventScroll: true });
}
