// @ts-check
/** Buttons to step through a solution: start, back, play, next, end, and the speed. */
import { h } from "../dom.js";
import { svgElement } from "../cube/overlay.js";
import { controls as phrases } from "../sentences.js";

/** Shapes of the buttons in a square of 16 units. */
const ICONS = {
  start: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M10 2l-6 6 6 6 2-2-4-4 4-4z",
  play: "M4 2v12l10-6z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  next: "M6 2l6 6-6 6-2-2 4-4-4-4z",
  end: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/** Milliseconds between two moves. @type {[name: string, value: number][]} */
const SPEEDS = [
  [phrases.slow, 1800],
  [phrases.normalSpeed, 1000],
  [phrases.fast, 450],
];

/** Milliseconds in which a tap is still meant for the button of the next move. */
const LATE = 600;

/** @param {keyof typeof ICONS} icon */
function picture(icon) {
  const svg = svgElement("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" });
  svg.append(svgElement("path", { d: ICONS[icon], fill: "currentColor" }));
  return svg;
}

/**
 * At the end a button for another cube takes the place of the one for the next move.
 *
 * @param {import("../types").Store} store @param {() => void} onAnother
 * @returns {{element: HTMLElement, draw(state: import("../types").State): void}}
 */
export function controls(store, onAnother) {
  /** @param {keyof typeof ICONS} icon @param {string} name @param {() => void} onclick */
  const make = (icon, name, onclick) =>
    h("button", { type: "button", class: "icon", title: name, "aria-label": name, onclick }, picture(icon));
  /** @param {(at: number, length: number) => number} to */
  const go = (to) => () => {
    const { step, solution } = store.get();
    if (solution) store.set({ step: to(step, solution.length), playing: false });
  };
  /** @param {number} by */
  const step = (by) => go((at, length) => Math.max(0, Math.min(length, at + by)));
  const start = make(
    "start",
    phrases.goToTheStart,
    go(() => 0),
  );
  const back = make("back", phrases.previousMove, step(-1));
  const play = make("play", phrases.play, () => store.set({ playing: !store.get().playing }));
  const next = h(
    "button",
    { type: "button", class: "next primary", onclick: step(1) },
    phrases.nextMove,
    picture("next"),
  );
  const another = h(
    "button",
    { type: "button", class: "next primary", hidden: true, onclick: onAnother },
    phrases.anotherCube,
  );
  const end = make(
    "end",
    phrases.goToTheEnd,
    go((_, length) => length),
  );
  const speed = h(
    "select",
    { "aria-label": phrases.speed },
    ...SPEEDS.map(([name, value]) => h("option", { value }, name)),
  );
  speed.value = String(SPEEDS[1][1]);

  let timer = 0;
  function tick() {
    const { step, solution, playing } = store.get();
    if (!playing || !solution) return;
    const at = Math.min(solution.length, step + 1);
    store.set({ step: at, playing: at < solution.length });
  }
  speed.addEventListener("change", () => restart(store.get()));

  /** @param {import("../types").State} state */
  function restart({ playing, solution }) {
    clearInterval(timer);
    timer = playing && solution ? window.setInterval(tick, Number(speed.value)) : 0;
  }

  let wasPlaying = false;
  return {
    element: h("div", { class: "row steps-row" }, start, back, next, another, play, end, speed),
    draw(state) {
      const { solution, step, playing, reveal } = state;
      const length = solution?.length ?? 0;
      const usable = Boolean(solution?.length) && reveal !== "length";
      for (const button of [start, back]) button.disabled = !usable || step === 0;
      for (const button of [next, end]) button.disabled = !usable || step === length;
      play.disabled = !usable;
      const isOver = solution !== null && step === length;
      if (isOver && another.hidden) {
        another.disabled = true;
        setTimeout(() => (another.disabled = false), LATE);
      }
      next.hidden = isOver;
      another.hidden = !isOver;
      if (playing === wasPlaying) return;
      wasPlaying = playing;
      play.replaceChildren(picture(playing ? "pause" : "play"));
      play.title = playing ? phrases.pause : phrases.play;
      play.setAttribute("aria-label", play.title);
      restart(state);
      if (!playing) return;
      if (step === length) store.set({ step: 0 });
      else tick();
    },
  };
}
