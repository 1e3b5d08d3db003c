// @ts-check
// The cheapest solution for a robot: its machine as text or as a file, and what it does step by step.

import { api, Problem } from "../api.js";
import { button, h, sentence } from "../dom.js";
import { numberOfMoves } from "../follow/words.js";
import { store } from "../store.js";
import { played } from "./schedule.js";
import { robot as phrases } from "../sentences.js";

const TIME_MS = 1000;

/** @typedef {import("./schedule.js").Step} Step */

/** A cost without the digits of its rounding. @param {number} cost */
const written = (cost) => String(Number(cost.toFixed(6)));

/** Joins what is done several times in a row. @param {Step[]} schedule */
function joined(schedule) {
  /** @type {(Step & {times: number})[]} */
  const out = [];
  for (const step of schedule) {
    const last = out.at(-1);
    if (last?.action === step.action && !last.turn && !step.turn)
      Object.assign(last, { ...step, times: last.times + 1 });
    else out.push({ ...step, times: 1 });
  }
  return out;
}

/** @param {HTMLElement} place a panel that is open */
export function mountRobot(place) {
  const text = h("textarea", {
    id: "machine",
    rows: 12,
    spellcheck: false,
    autocapitalize: "off",
    value: phrases.example,
  });
  const file = h("input", { type: "file", id: "machine-file", accept: ".json,application/json", onchange: read });
  const faces = h("input", {
    type: "text",
    id: "machine-faces",
    size: 8,
    value: "URFDLB",
    spellcheck: false,
    autocapitalize: "characters",
  });
  const find = button(phrases.find, () => void search());
  const told = h("div", { role: "status" });
  const list = h("ol", { class: "scrambles" });
  const whole = h("div", { class: "row" });
  place.append(
    h("p", { class: "quiet" }, phrases.about),
    h("label", { htmlFor: "machine" }, phrases.machine),
    text,
    h("div", { class: "row" }, h("label", { htmlFor: "machine-file" }, phrases.file), file),
    h("div", { class: "row" }, h("label", { htmlFor: "machine-faces" }, phrases.faces), faces),
    h("div", { class: "row" }, find),
    told,
    list,
    whole,
  );

  async function read() {
    const [chosen] = file.files ?? [];
    if (chosen) text.value = await chosen.text();
  }

  function clear() {
    for (const part of [told, list, whole]) part.replaceChildren();
  }

  async function search() {
    clear();
    let machine;
    try {
      machine = JSON.parse(text.value);
    } catch (error) {
      told.append(h("p", {}, phrases.notJson(/** @type {Error} */ (error).message)));
      return;
    }
    const { stickers: facelets } = store.get();
    find.disabled = true;
    told.append(h("p", { class: "quiet" }, phrases.searching));
    // A list of costs has turns as its names.
    const asked = machine?.actions || machine?.states ? { machine } : { costs: machine };
    const turned = faces.value.trim().toUpperCase();
    const some = [..."URFDLB"].every((face) => turned.includes(face)) ? {} : { faces: turned };
    const body = { facelets, target_length: 0, ...asked, ...some };
    const answer = await api
      .post("/solve", { ...body, time_limit_ms: TIME_MS })
      // The operator may allow less time. Then the service's own default applies.
      .catch((problem) => (problem.code === "option_out_of_range" ? api.post("/solve", body) : Promise.reject(problem)))
      .catch((problem) => problem);
    find.disabled = !store.get().solution?.length;
    if (store.get().stickers !== facelets) return;
    clear();
    if (answer instanceof Problem) refuse(answer.fields);
    else draw(answer);
  }

  /** @param {{detail: string, faults?: {field: string, message: string}[]}} problem */
  function refuse({ detail, faults = [] }) {
    const items = faults.map(({ field, message }) => h("li", {}, h("code", {}, field), sentence(message)));
    told.append(faults.length ? h("ul", {}, ...items) : sentence(detail));
  }

  /** @param {{moves: string[], length: number, lower_bound: number, cost: number, cost_lower_bound: number, schedule: Step[]}} answer */
  function draw({ moves, length, lower_bound: lowerBound, cost, cost_lower_bound: bound, schedule }) {
    told.append(h("p", {}, phrases.costs(numberOfMoves(length), written(cost), written(bound))));
    list.append(
      ...joined(schedule).map((step) => {
        const made = step.turn && step.turn !== step.action && h("span", { class: "mono" }, step.turn);
        const turned = step.moves.length > 0 && phrases.turns(step.moves.join(" "));
        const facts = [turned, phrases.soFar(written(step.total))].filter(Boolean).join(", ");
        const times = step.times > 1 && `${step.times} × `;
        return h("li", {}, times, step.action, " ", made, " ", h("span", { class: "quiet" }, facts));
      }),
    );
    const follow = () =>
      store.set({
        solution: { moves, length, lowerBound, proven: length === lowerBound, elapsedUs: 0 },
        step: 0,
        playing: false,
      });
    whole.append(
      button(phrases.play, () => play(schedule), { class: "primary" }),
      button(phrases.follow(numberOfMoves(length)), follow),
    );
  }

  /** Plays what the robot does on the cube, which moves as it does in the robot. @param {Step[]} schedule */
  function play(schedule) {
    const { moves, actions } = played(schedule);
    const solution = { moves, actions, length: moves.length, lowerBound: 0, proven: false, elapsedUs: 0 };
    store.set({ solution, step: 0, playing: true });
    document.getElementById("stage")?.scrollIntoView();
  }

  store.subscribe(({ solution }, changed) => {
    if (changed.has("stickers")) clear();
    find.disabled = !solution?.length;
  });
  find.disabled = !store.get().solution?.length;
}
