// @ts-check
// The solution move by move: moves left, proven bounds and phase-1 distances of every position, as a chart and a table.

import { button, h } from "../dom.js";
import { isRotation, numberOfMoves } from "../follow/words.js";
import { phases } from "./model.js";
import { BASE, channel, chart, HEIGHT, LEFT, oneTabStop, speaker, svg, WIDTH } from "./parts.js";
import { bounds as phrases } from "../sentences.js";

/** @import * as T from "./types" */

/** @param {{axis: string, inverse: boolean}} direction */
const directionName = ({ axis, inverse }) => axis + (inverse ? "\u207b\u00b9" : "");

/** @param {T.Explained} explained @param {T.GoTo} goTo */
function boundsChart({ steps, reading }, goTo) {
  const most = Math.max(1, ...steps.map((step) => step.moves_left));
  const slot = (WIDTH - LEFT) / steps.length;
  /** @type {T.At} */
  const x = (index) => LEFT + slot * (index + 0.5);
  /** @type {T.At} */
  const y = (count) => BASE - ((BASE - 26) * count) / most;
  /** @param {string} name @param {number[]} counts */
  const line = (name, counts) =>
    svg("polyline", { class: name, points: counts.map((count, index) => [x(index), y(count)]).join(" ") });
  const along = steps[0].bounds.findIndex((bound) => directionName(bound) === directionName(reading));
  const sections = phases(steps).map(({ phase, from, to }, index) =>
    svg(
      "g",
      { class: "phase" },
      svg("text", { x: (x(from) + x(to)) / 2, y: 12 }, phrases.numberedPhase(phase)),
      index > 0 && svg("path", { d: `M${x(from - 0.5)} 4V${BASE}` }),
    ),
  );
  const columns = steps.map((step, index) => {
    const column = svg(
      "g",
      { class: "column" },
      svg("path", { d: `M${x(index - 0.5)} ${HEIGHT}V0h${slot}V${HEIGHT}` }),
      svg("path", {
        class: step.exact === null ? "least" : "exact",
        d: `M${x(index - 0.3)} ${BASE}V${y(step.lower_bound)}h${slot * 0.6}V${BASE}`,
      }),
      svg("text", { x: x(index), y: HEIGHT - 8 }, step.move ?? "·"),
    );
    column.addEventListener("click", () => goTo(index));
    return column;
  });
  const levels = [...Array(most + 1).keys()].filter((count) => count % Math.ceil(most / 5) === 0);
  return chart(
    phrases.label,
    levels.map((count) => [y(count), String(count)]),
    ...sections,
    ...columns,
    line(
      "left",
      steps.map((step) => step.moves_left),
    ),
    line(
      "first",
      steps.map(({ bounds }) => bounds[along].phase_one_distance),
    ),
  );
}

/** @param {T.Options} options */
export function createBounds({ store, api }) {
  const { status, say } = speaker();
  const requests = channel(api, say, 80);
  const body = oneTabStop(h("div"));
  let key = "";
  /** The number of moves that turn a face, among those that are made. The service counts no rotations of the whole cube. */
  const turned = (/** @type {number} */ step) =>
    store
      .get()
      .solution?.moves.slice(0, step)
      .filter((move) => !isRotation(move)).length ?? 0;
  /** @type {T.GoTo} */
  const goTo = (turns) => {
    const { length = 0 } = store.get().solution ?? {};
    let step = 0;
    while (step < length && turned(step) < turns) step += 1;
    store.set({ step });
  };

  /** @param {T.Explained} explained */
  function draw(explained) {
    const { steps, lengths, reading } = explained;
    const rows = steps.map((step, index) =>
      h(
        "tr",
        {},
        h(
          "th",
          { scope: "row" },
          button(step.move ?? phrases.start, () => goTo(index), { class: "link" }),
        ),
        ...[
          step.moves_left,
          step.exact ?? `≥${step.lower_bound}`,
          step.phase ?? "",
          ...step.bounds.map((bound) =>
            bound.phase_two_bound === null ? bound.phase_one_distance : `0+${bound.phase_two_bound}`,
          ),
        ].map((text) => h("td", {}, String(text))),
      ),
    );
    const heads = [
      phrases.move,
      phrases.movesLeft,
      phrases.lowerBoundTables,
      phrases.phase,
      ...steps[0].bounds.map(directionName),
    ];
    const { solution } = store.get();
    const searched = solution && solution.lowerBound > explained.lower_bound ? solution.lowerBound : 0;
    const { proven_from: from } = explained.shortest;
    const backwards = phases(steps)[0]?.phase === 2;
    body.replaceChildren(
      h(
        "p",
        {},
        phrases.lengths(numberOfMoves(lengths.htm), lengths.qtm),
        (searched ? phrases.provenBySearch : phrases.proven)(numberOfMoves(explained.lower_bound), searched),
        from < steps.length - 1 && phrases.shortestFrom(from + 1),
      ),
      boundsChart(explained, goTo),
      h(
        "p",
        { class: "quiet" },
        phrases.legend,
        phrases.dots(directionName(reading)),
        backwards && phrases.backwards,
        phrases.table,
      ),
      h(
        "div",
        { class: "scroll" },
        h("table", {}, h("tr", {}, ...heads.map((name) => h("th", { scope: "col" }, name))), ...rows),
      ),
    );
    mark();
  }

  /** Marks the position of the cube. */
  function mark() {
    const step = turned(store.get().step);
    for (const list of [".column", "tr:has(td)"])
      for (const [index, item] of body.querySelectorAll(list).entries())
        item.setAttribute("aria-current", index === step ? "step" : "false");
  }

  /** Asks for a solution. Other modes of the page do so by themselves. */
  function solve() {
    requests.run(
      (ask) => ask.post("/solve", { facelets: store.get().stickers }),
      ({ moves, length, lower_bound: lowerBound, proven_optimal: proven, elapsed_us: elapsedUs }) =>
        store.set({ solution: { moves, length, lowerBound, proven, elapsedUs }, step: 0 }),
    );
  }

  return {
    views: [status, body],
    update() {
      const { stickers: facelets, solution } = store.get();
      const next = `${facelets} ${solution?.moves}`;
      if (next === key) return mark();
      key = next;
      requests.stop();
      if (solution) requests.run((ask) => ask.post("/explain", { facelets, solution: solution.moves.join(" ") }), draw);
      else body.replaceChildren(button(phrases.findASolution, solve, { class: "primary" }));
    },
    stop: requests.stop,
  };
}
