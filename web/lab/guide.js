// @ts-check
// What the laboratory is about, in three sentences and three steps. Each step uses the cube that is shown.

import { makeMove, shown } from "../actions.js";
import { button, h } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { full, phases as phasesOf } from "./model.js";
import { channel, speaker } from "./parts.js";
import { labGuide as phrases } from "../sentences.js";

/** @import * as T from "./types" */

const CLOSED = "superflip.guide.closed";

const LEAD = phrases.lead;

/** Cubes that the moves of phase 2 can reach from the solved one. */
const PHASE_TWO = 19_508_428_800;

/** @typedef {{value: number, size: number}} Twist */

/** @param {Twist} twist */
const coordinateText = ({ value, size }) => phrases.coordinate(full(value), full(size - 1));

/** @param {Twist} twist @param {number} distance @param {number} best the greatest bound of all tables */
const boundText = ({ value, size }, distance, best) =>
  phrases.bound(full(size), full(value), numberOfMoves(distance), numberOfMoves(best));

const PHASES = phrases.phases(full(PHASE_TWO));

/** @param {number} phase @param {number} count */
const partText = (phase, count) => phrases.ofPhase(numberOfMoves(count), phase);

/** @param {string} axis @param {string[]} parts */
const splitText = (axis, parts) => phrases.split(axis, parts.join(phrases.then));

const BACKWARDS = phrases.backwards;

/** @param {T.Options} options */
export function createGuide({ store, api }) {
  const { status, say } = speaker();
  const requests = channel(api, say, 60);
  const text = h("p", {});
  const actions = h("div", { class: "row" });
  const panel = h("div", { class: "step", hidden: true, "aria-live": "polite" }, text, actions);
  const steps = [
    { name: phrases.whatIsACoordinate, place: { tab: "coordinates", coordinate: "twist" }, load: coordinate },
    { name: phrases.whatIsABound, place: { tab: "coordinates", coordinate: "twist" }, load: bound },
    { name: phrases.whyTwoPhases, place: { tab: "solution" }, load: phases },
  ];
  /** The open step. */
  let current = -1;
  const buttons = steps.map(({ name }, index) => button(name, () => open(index), { "aria-pressed": "false" }));

  /** @param {string} words @param {[name: string, act: () => void][]} acts */
  function draw(words, acts) {
    const focused = document.activeElement;
    const at = [...actions.children].indexOf(/** @type {Element} */ (focused));
    text.textContent = words;
    actions.replaceChildren(...acts.map(([name, act]) => button(name, act)));
    if (at >= 0) /** @type {HTMLElement | undefined} */ (actions.children[at])?.focus();
  }

  /** @param {number} index */
  function open(index) {
    current = index === current ? -1 : index;
    for (const [at, item] of buttons.entries()) item.setAttribute("aria-pressed", String(at === current));
    panel.hidden = current < 0;
    draw("", []);
    if (current < 0) return requests.stop();
    store.set(/** @type {Partial<import("../types").State>} */ (steps[current].place));
    update();
  }

  /** @param {T.Ask} ask @returns {Promise<[Twist, T.CubeAnswer]>} */
  async function twistOf(ask) {
    const facelets = shown(store.get());
    const [answer, space] = await Promise.all([ask.post("/coords", { facelets }), ask.get("/coords/twist")]);
    const { value } = answer.coordinates.find((/** @type {T.CubeValue} */ { name }) => name === "twist");
    return [{ value, size: space.size }, answer];
  }

  function coordinate() {
    requests.run(twistOf, ([twist]) =>
      draw(coordinateText(twist), [
        [phrases.turnTheTopFace, () => makeMove("U")],
        [phrases.turnTheRightFace, () => makeMove("R")],
      ]),
    );
  }

  function bound() {
    requests.run(
      async (ask) => {
        const [twist, answer] = await twistOf(ask);
        /** @type {T.ValueAnswer} */
        const { distance, to_solved: way } = await ask.get(`/coords/twist/${twist.value}`);
        const bounds = (answer.directions ?? []).map((each) => each.phase_two_bound ?? each.phase_one_distance);
        return { twist, distance: distance ?? 0, best: Math.max(0, ...bounds), next: way?.split(" ")[0] };
      },
      ({ twist, distance, best, next }) =>
        draw(
          boundText(twist, distance, best),
          next ? [[phrases.nearerMove(next), () => makeMove(next)]] : [[phrases.turnTheRightFace, () => makeMove("R")]],
        ),
    );
  }

  function phases() {
    const { stickers: facelets, solution } = store.get();
    if (!solution?.length) return draw(PHASES, []);
    requests.run(
      (ask) => ask.post("/explain", { facelets, solution: solution.moves.join(" ") }),
      (/** @type {T.Explained} */ { reading, steps }) => {
        const runs = phasesOf(steps);
        const parts = runs.map(({ phase, from, to }) => partText(phase, to - from + 1));
        const words = [PHASES, splitText(reading.axis, parts), reading.inverse && BACKWARDS];
        const change = runs[0].to;
        draw(
          words.filter(Boolean).join(" "),
          runs.length > 1 ? [[phrases.changeOfPhases, () => store.set({ step: change })]] : [],
        );
      },
    );
  }

  /** The cube changed. */
  function update() {
    if (current >= 0) steps[current].load();
  }

  const details = h("details", { class: "how" }, h("summary", {}, phrases.howTheSolverWorks), h("p", {}, LEAD));
  details.append(h("div", { class: "row" }, ...buttons), panel, status);
  try {
    details.open = localStorage.getItem(CLOSED) === null;
  } catch {
    details.open = true;
  }
  details.addEventListener("toggle", () => {
    try {
      if (details.open) localStorage.removeItem(CLOSED);
      else localStorage.setItem(CLOSED, "yes");
    } catch {
      // Storage is not allowed: the laboratory opens with the guide again.
    }
  });
  return { element: details, update, stop: requests.stop };
}
