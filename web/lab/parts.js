// @ts-check
// Parts that the panels share: requests, forms, lists with one tab stop, and charts.

import { h, sentence } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { describe, full, logHeight, short, ticks } from "./model.js";
import { parts as phrases } from "../sentences.js";

/** @import * as T from "./types" */

/** @type {T.CreateChannel} */
export function channel(api, say, pause = 0) {
  let newest = 0;
  let controller = new AbortController();
  let busy = Promise.resolve();
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  return {
    stop() {
      newest++;
      clearTimeout(timer);
      controller.abort();
    },
    run(request, done, patient) {
      if (!patient) controller.abort();
      const mine = ++newest;
      const work = async () => {
        controller = new AbortController();
        const init = { signal: controller.signal };
        /** @type {T.Ask} */
        const ask = {
          get: (path, params) => api.get(path, params, init),
          post: (path, body) => api.post(path, body, init),
        };
        let seconds = 0;
        const clock = setInterval(() => say(phrases.theServiceIsComputingS(++seconds)), 1000);
        try {
          const answer = await request(ask);
          if (mine !== newest) return;
          say("");
          done(answer);
        } catch (error) {
          if (mine !== newest) return;
          const problem = /** @type {import("../types").ProblemFields} */ (error);
          const { code, detail, status, retry_after_s: wait = 2 } = problem;
          // The service names a field of its answer for programs.
          say(code === "unknown_stickers" ? phrases.paintFirst : (detail ?? String(error)));
          if (status === 0 || status === 503) timer = setTimeout(attempt, 1000 * wait);
        } finally {
          clearInterval(clock);
        }
      };
      const attempt = async () => {
        await busy;
        if (mine === newest) busy = work();
      };
      clearTimeout(timer);
      timer = setTimeout(attempt, pause);
    },
  };
}

/** @type {T.Speaker} */
export function speaker() {
  const status = h("div", { role: "status" });
  return {
    status,
    say(text) {
      const shown = text ? [sentence(text)] : [];
      for (const line of shown) line.className = "say";
      status.replaceChildren(...shown);
    },
  };
}

/** @type {T.Field} */
export function field(label, verb, onSubmit, props) {
  const input = h("input", { required: true, spellcheck: false, autocapitalize: "off", ...props });
  const form = h("form", { class: "row" }, h("label", {}, `${label} `, input), h("button", {}, verb));
  form.onsubmit = (event) => {
    event.preventDefault();
    onSubmit(input.value);
  };
  return { input, form };
}

/** @type {T.OneTabStop} */
export function oneTabStop(container) {
  const items = () => [...container.querySelectorAll("button")];
  container.addEventListener("focusin", ({ target }) => {
    for (const item of items()) item.tabIndex = item === target ? 0 : -1;
  });
  container.addEventListener("keydown", (event) => {
    const at = items().indexOf(/** @type {HTMLButtonElement} */ (event.target));
    /** @type {Record<string, number>} */
    const to = { ArrowLeft: at - 1, ArrowUp: at - 1, ArrowRight: at + 1, ArrowDown: at + 1, Home: 0, End: -1 };
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in to)) return;
    // Elsewhere on the page the arrows rotate the cube.
    event.stopPropagation();
    event.preventDefault();
    items()
      .at(to[event.key] % items().length)
      ?.focus();
  });
  return container;
}

/** @type {T.Fact} */
export const fact = (term, ...text) => [h("dt", {}, term), h("dd", {}, ...text)];

/** @type {T.Svg} */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) element.setAttribute(name, String(value));
  element.append(...children.filter((child) => child !== false));
  return /** @type {SVGElement} */ (element);
}

/** Width of a digit in a chart. */
const DIGIT = 7;

/** Size of a chart. */
export const WIDTH = 460;
export const HEIGHT = 190;

/** Left edge and base of what is drawn in it. */
export const LEFT = 32;
export const BASE = 166;

/** @type {T.Chart} */
export function chart(label, levels, ...children) {
  const grid = levels.map(([y, text]) =>
    svg(
      "g",
      { class: "grid" },
      svg("path", { d: `M${LEFT} ${y}H${WIDTH}` }),
      svg("text", { x: LEFT / 2, y: y + 4 }, text),
    ),
  );
  const props = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, "text-anchor": "middle" };
  return svg("svg", props, ...grid, ...children);
}

/** @type {T.BarChart} */
export function barChart(histogram, noun, mark = null) {
  const greatest = Math.max(...histogram);
  const slot = (WIDTH - LEFT) / histogram.length;
  // Counts that are wider than their bars stand upright.
  const longest = DIGIT * Math.max(...histogram.map((count) => short(count).length));
  const upright = longest > slot - 3;
  const room = upright ? longest : DIGIT;
  const bars = histogram.map((count, distance) => {
    const x = LEFT + slot * (distance + 0.5);
    const y = top(count);
    const here = distance === mark;
    /** @type {Record<string, string | number>} */
    const place = upright
      ? { transform: `translate(${x + 4} ${y - 4})rotate(-90)`, "text-anchor": "start" }
      : { x, y: y - 5 };
    return svg(
      "g",
      { class: here ? "bar here" : "bar" },
      svg("path", { d: `M${x - slot * 0.3} ${BASE}V${y}h${slot * 0.6}V${BASE}` }),
      svg("text", place, short(count)),
      svg("text", { x, y: HEIGHT - 8 }, String(distance)),
      here && svg("path", { d: `M${x} ${y - 10 - room}l-5 -8h10z` }),
    );
  });
  /** @type {T.At} */
  function top(count) {
    return BASE - (BASE - 22 - room) * logHeight(count, greatest);
  }
  const label = histogram.map((count, distance) => `${numberOfMoves(distance)}: ${full(count)}`).join(", ");
  const picture = chart(
    label,
    ticks(greatest).map((tick) => [top(tick), short(tick)]),
    ...bars,
  );
  return h("figure", {}, h("figcaption", {}, describe(histogram, noun, mark)), picture);
}
