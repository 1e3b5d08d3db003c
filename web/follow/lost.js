// @ts-check
/**
 * For a user whose cube looks different from the one on the page: names the wrong turn. The cube is painted from its centres on. As soon
 * as the painted stickers leave one likely explanation, the page shows that cube, marks the stickers that it guessed, and asks whether it
 * is the user's. *Cancel* leads back to the solution.
 */
import { CENTRES, blankOf, inColoursOf, isPainting, openCube, setCube } from "../actions.js";
import { button, h } from "../dom.js";
import { lost as phrases } from "../sentences.js";
import { describe } from "./words.js";

/** @typedef {{number: number, sent: string, made: string | null, kind: keyof typeof phrases.kinds}} Slip */
/** @typedef {{slips: number, facelets: string, ways: Slip[][], misread?: number}} Explanation */
/** @typedef {import("../types").Solution} Solution */

/** Painted stickers, without the centres, below which too many turns could explain them: one face. */
const ENOUGH = 8;
/** Milliseconds without a stroke. */
const PAUSE = 400;

/** A wrong turn in words. @param {Slip} slip */
export const wordsOf = ({ number, sent, made, kind }) =>
  phrases.kinds[kind](number, phrases.quoted(sent, describe(sent)), made && phrases.quoted(made, describe(made)));

/**
 * The explanation that is likely, if only one is: the only one without a wrong turn or with one, or else the only one with two.
 *
 * @param {{explanations: Explanation[], truncated: boolean}} diagnosis @returns {Explanation | null}
 */
export function likely({ explanations, truncated }) {
  const near = explanations.filter(({ slips }) => slips < 2);
  if (near.length === 1) return near[0];
  return explanations.length === 1 && !truncated ? explanations[0] : null;
}

/**
 * @param {HTMLElement} place where the cube is painted
 * @param {{store: import("../types").Store, api: import("../types").Api, onAsk: () => void, onPaint: () => void}} parts `onAsk` is called
 * when the picture shows a cube in question, `onPaint` when the user is to paint
 * @returns {() => void} asks what the cube looks like
 */
export function mountLost(place, { store, api, onAsk, onPaint }) {
  const told = h("p", { role: "status" });
  const yes = button(phrases.solveFromHere, () => {}, { class: "primary" });
  const no = button(phrases.noItDiffers, refuse);
  const answers = h("div", { class: "row" }, yes, no, button(phrases.cancel, cancel));
  const panel = h("div", { class: "question lost", hidden: true }, told, answers);
  place.prepend(panel);

  /** The cube before the moves, its solution, and the number of moves that the page has shown. @type {{before: string, scramble: string | null, solution: Solution, step: number} | null} */
  let course = null;
  /** Cubes that are not the user's. @type {Set<string>} */
  let refused = new Set();
  /** The cube in question. @type {string | null} */
  let offered = null;
  let timer = 0;

  /** @param {string} text @param {boolean} [asks] */
  function tell(text, asks = false) {
    told.textContent = text;
    yes.hidden = no.hidden = !asks;
    store.set({ lost: asks ? "answer" : "paint" });
  }

  function start() {
    const { stickers: before, scramble, solution, step } = store.get();
    if (!solution) return;
    course = { before, scramble, solution, step };
    refused = new Set();
    setCube(blankOf(before), { painting: true });
    panel.hidden = false;
    tell(phrases.paintAFace);
    onPaint();
  }

  function end() {
    course = offered = null;
    clearTimeout(timer);
    panel.hidden = true;
    store.set({ lost: null });
  }

  /** Shows the solution again. @param {number} [made] number of moves that are made */
  function back(made) {
    if (!course) return;
    const { before, scramble, solution, step } = course;
    end();
    setCube(before, { painting: false, scramble, solution, step: made ?? step });
  }

  function cancel() {
    back();
    onAsk();
  }

  /** Asks the service which wrong turn explains the painted stickers. */
  async function look() {
    const { stickers: seen } = store.get();
    if (!course || seen.split("?").length - 1 > 54 - CENTRES.length - ENOUGH) return;
    const { before, solution, step } = course;
    // The user may also have made one move more than the page has shown.
    for (const made of [step, step + 1]) {
      const moves = solution.moves.slice(0, made).join(" ");
      const body = { facelets: before, moves, seen, max_explanations: 4 };
      const diagnosis = await api.post("/diagnose", body).catch(() => null);
      if (!course || store.get().stickers !== seen) return;
      if (!diagnosis) return tell(phrases.paintTheRest);
      // A few stickers fit many cubes but for one, so only those that fit count.
      diagnosis.explanations = diagnosis.explanations.filter(
        (/** @type {Explanation} */ { misread }) => misread === undefined,
      );
      const explanation = likely(diagnosis);
      if (explanation) return offer(explanation, made);
      if (diagnosis.explanations.length) return tell(phrases.paintMore);
    }
    tell(phrases.paintTheRest);
  }

  /** @param {Explanation} explanation @param {number} made */
  function offer({ facelets, ways }, made) {
    if (!course) return;
    const { before } = course;
    const cube = inColoursOf(facelets, before);
    if (refused.has(cube)) return tell(phrases.paintTheRest);
    offered = cube;
    const what = ways[0].length ? ways[0].map(wordsOf).join(" ") : phrases.asShown(made);
    tell(`${what} ${phrases.isItThis}`, true);
    yes.onclick = () => {
      if (!ways[0].length) return back(made);
      end();
      void openCube(cube, { painting: false, message: what });
    };
    const guessed = [...store.get().stickers].flatMap((letter, at) => (letter === "?" ? [at] : []));
    store.set({ preview: { stickers: cube, changed: [], guessed } });
    onAsk();
  }

  function refuse() {
    if (offered) refused.add(offered);
    offered = null;
    store.set({ preview: null });
    tell(phrases.paintMore);
    onPaint();
  }

  store.subscribe((state, changed) => {
    if (!course) return;
    if (!isPainting(state) || state.solution) return end();
    if (!changed.has("stickers")) return;
    if (!state.stickers.includes("?")) tell("");
    else if (offered) tell(phrases.paintMore);
    offered = null;
    clearTimeout(timer);
    timer = window.setTimeout(look, PAUSE);
  });
  return start;
}
