// @ts-check
// Tools for the fewest moves: a longer search, several solutions, and a check of a solution of one's own.

import { isSolved } from "../actions.js";
import { api, Problem } from "../api.js";
import { applyMoves, parseMoves } from "../cube/cube.js";
import { button, h, sentence } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { store } from "../store.js";
import { turnsOf } from "./turns.js";
import { fewest as phrases } from "../sentences.js";

/** Time to list solutions. */
const LIST_MS = 5000;
const NUMBERS = [3, 10, 30];
const METRICS = /** @type {(keyof typeof phrases.metrics)[]} */ (Object.keys(phrases.metrics));

const PROOF = phrases.noProofs;

/**
 * Asks for several solutions. While the tables of a metric are not ready, it waits and asks again.
 *
 * @param {object} body @param {(detail: string) => boolean} onWait gets the reason, and returns whether to go on
 * @returns {Promise<any>} the answer or a `Problem`
 */
async function listedBy(body, onWait) {
  for (;;) {
    const answer = await api
      .post("/solve", { ...body, time_limit_ms: LIST_MS })
      // The operator may allow less time. Then the service's own default applies.
      .catch((problem) => (problem.code === "option_out_of_range" ? api.post("/solve", body) : Promise.reject(problem)))
      .catch((problem) => problem);
    const { code, detail, retry_after_s: seconds } = answer.fields ?? {};
    if (code !== "metric_not_ready" || !onWait(detail)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

/** @param {HTMLElement} place a panel that is open */
export function mountFewest(place) {
  const longer = button(phrases.searchLonger, search);
  const told = h("span", { class: "quiet", role: "status" });
  const proof = h("div", { class: "quiet" }, sentence(PROOF));

  const number = h("select", { id: "solutions" }, ...NUMBERS.map((value) => h("option", { value }, String(value))));
  const metric = h(
    "select",
    { id: "metric" },
    ...METRICS.map((value) => h("option", { value }, phrases.metrics[value])),
  );
  const list = button(phrases.list, () => void several());
  const listed = h("p", { class: "quiet", role: "status" });
  const items = h("ol", { class: "scrambles" });

  const own = h("textarea", { id: "own", rows: 2, spellcheck: false, autocapitalize: "off", placeholder: "R U R' F2" });
  const verdict = h("p", { role: "status" });
  const follow = button(phrases.followIt, () => show(mine), { hidden: true });
  /** @type {string[]} */
  let mine = [];
  const form = h(
    "form",
    { onsubmit: check },
    h("label", { htmlFor: "own" }, phrases.yourSolution),
    own,
    h("div", { class: "row" }, h("button", {}, phrases.checkMySolution), follow),
    verdict,
  );
  place.append(
    h("div", { class: "row" }, longer, told),
    proof,
    h("div", { class: "row" }, h("label", { htmlFor: "solutions" }, phrases.numberOfSolutions), number),
    h("div", { class: "row" }, h("label", { htmlFor: "metric" }, phrases.countedIn), metric, list),
    listed,
    items,
    form,
  );

  /** The length before the longer search, while there is one. @type {number | null} */
  let before = null;
  function search() {
    const { solution, longer: count } = store.get();
    if (!solution) return;
    before = solution.length;
    told.textContent = phrases.searchingLonger;
    store.set({ longer: count + 1 });
  }

  /** Says what a longer search has found. */
  function searched() {
    const { solution, solving } = store.get();
    if (before === null || solving) return;
    if (solution && solution.length < before) told.textContent = phrases.foundShorter(numberOfMoves(solution.length));
    else told.textContent = solution?.proven ? phrases.nothingIsShorter : phrases.foundNothingShorter;
    before = null;
  }

  /** Shows another solution of the same cube. @param {string[]} moves @param {number} [lowerBound] */
  function show(moves, lowerBound = store.get().solution?.lowerBound ?? 0) {
    const { length } = moves;
    store.set({
      solution: { moves, length, lowerBound, proven: length === lowerBound, elapsedUs: 0 },
      step: 0,
      playing: false,
    });
  }

  async function several() {
    const { stickers: facelets } = store.get();
    list.disabled = true;
    listed.textContent = phrases.searchingSeveral;
    items.replaceChildren();
    const unit = /** @type {(typeof METRICS)[number]} */ (metric.value);
    const count = (/** @type {number} */ length) =>
      unit === "htm" ? numberOfMoves(length) : phrases.units[unit](length);
    const body = { facelets, solutions: Number(number.value), target_length: 0, metric: unit };
    const answer = await listedBy(body, (detail) => {
      if (store.get().stickers === facelets) listed.replaceChildren(...sentence(detail).childNodes);
      return store.get().stickers === facelets;
    });
    list.disabled = false;
    if (store.get().stickers !== facelets) return;
    if (answer instanceof Problem) {
      listed.replaceChildren(...sentence(answer.fields.detail).childNodes);
      return;
    }
    const { solutions, lower_bound: bound } = answer;
    listed.textContent =
      solutions.length < body.solutions
        ? phrases.foundFewer(solutions.length, body.solutions, count(bound))
        : phrases.bound(count(bound));
    items.replaceChildren(
      ...solutions.map((/** @type {{moves: string[], length: number}} */ { moves, length }) =>
        h(
          "li",
          {},
          // What is shown counts face turns, and so does its bound.
          button(`${moves.join(" ")} (${length})`, () => show(moves, unit === "htm" ? bound : undefined)),
        ),
      ),
    );
  }

  /** @param {Event} event */
  function check(event) {
    event.preventDefault();
    follow.hidden = true;
    verdict.textContent = verdictOf(own.value);
  }

  /** @param {string} text */
  function verdictOf(text) {
    const { stickers, solution } = store.get();
    try {
      mine = parseMoves(text.replace(/\/\/.*$/gm, "").replace(/[()]/g, " "));
    } catch (error) {
      return `${/** @type {Error} */ (error).message}.`;
    }
    const at = [...mine.keys(), mine.length].find((made) => isSolved(applyMoves(stickers, mine.slice(0, made))));
    if (at === undefined) return phrases.doesNotSolve;
    if (turnsOf(mine.slice(at))) return phrases.solvesBefore(numberOfMoves(at));
    const turns = turnsOf(mine);
    // Lengths on the page are numbers of face moves.
    follow.hidden = turns !== mine.length || turns === 0;
    if (!solution) return phrases.solves(numberOfMoves(turns));
    const more = turns - turnsOf(solution.moves);
    if (more === 0) return phrases.solvesEqual(numberOfMoves(turns));
    if (more > 0) return phrases.solvesLonger(numberOfMoves(turns), more);
    return phrases.solvesShorter(numberOfMoves(turns), -more);
  }

  function draw() {
    const { solution, solving, prover } = store.get();
    longer.disabled = !solution?.length || solution.proven || solving;
    list.disabled = !solution?.length;
    proof.hidden = prover !== null;
    searched();
  }
  store.subscribe((_, changed) => {
    if (changed.has("stickers")) {
      for (const line of [told, listed, verdict]) line.textContent = "";
      items.replaceChildren();
      follow.hidden = true;
      before = null;
    }
    draw();
  });
  draw();
}
