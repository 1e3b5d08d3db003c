// @ts-check
// The cube and its solution for other programs: copies, links and print sheets.

import { shown } from "../actions.js";
import { address } from "../address.js";
import { api } from "../api.js";
import { invertMoves } from "../cube/cube.js";
import { button, h } from "../dom.js";
import { store } from "../store.js";
import "./print.js";
import { share as phrases } from "../sentences.js";

/** Forms that /convert writes, with a name for each. */
const FORMS = {
  facelets: phrases.facelets,
  net: phrases.net,
  reid: phrases.reidString,
  b32: "nissy",
  digits: phrases.digits,
  speffz: phrases.speffz,
  twizzle: phrases.twizzleBinary,
  kpattern: "KPattern",
  cubies: phrases.cubieArrays,
};

/** The moves to the shown start: those given, or the inverse of the solution. */
function setup() {
  const { scramble, solution, preview } = store.get();
  if (preview?.scramble) return preview.scramble;
  return (scramble ?? (solution ? invertMoves(solution.moves).join(" ") : "")) || null;
}

/** @param {HTMLElement} place a panel that is open */
export function mountShare(place) {
  const said = h("span", { class: "quiet", role: "status" });
  /** @param {string} done what is said then @param {() => string | Promise<string>} text */
  const copy = (done, text) => async () => {
    try {
      await navigator.clipboard.writeText(await text());
      said.textContent = done;
    } catch (error) {
      said.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const field = h("input", { id: "address", readOnly: true, onfocus: () => field.select() });
  const link = button(
    phrases.copyLink,
    copy(phrases.copiedLink, () => address()),
  );
  // The share sheet of the device, if the browser supports it.
  const others = button(phrases.share, share, { hidden: !navigator.share });
  async function share() {
    try {
      await navigator.share({ title: document.title, url: address() });
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") said.textContent = String(error);
    }
  }
  const setupCopy = button(
    phrases.copyScramble,
    copy(phrases.copiedScramble, () => setup() ?? ""),
  );
  const solution = button(
    phrases.copySolution,
    copy(phrases.copiedSolution, () => store.get().solution?.moves.join(" ") ?? ""),
  );
  const sheet = button(phrases.print, () => print());
  const form = h(
    "select",
    { id: "copy-form" },
    ...Object.entries(FORMS).map(([value, name]) => h("option", { value }, name)),
  );
  const other = button(phrases.copy, copy(phrases.copiedCube, write));
  const links = h("p", { class: "row" });
  place.append(
    h("div", { class: "row address" }, h("label", { htmlFor: "address" }, phrases.address), field, link, others),
    h("div", { class: "row" }, setupCopy, solution, sheet),
    h("div", { class: "row" }, h("label", { htmlFor: "copy-form" }, phrases.copyTheCubeAs), form, other),
    links,
    said,
  );

  /** The shown cube in the chosen form. Stickers that the service cannot read yet are copied as they are. */
  async function write() {
    const cube = store.get().preview?.stickers ?? shown();
    if (form.value === "facelets") return cube;
    const answer = await api.get("/convert", {
      facelets: cube,
      to: form.value,
    });
    const text = answer.forms[form.value];
    return typeof text === "string" ? text : JSON.stringify(text);
  }

  let linked = "";
  async function readLinks() {
    const moves = setup();
    if (moves === null || moves === linked) return;
    linked = moves;
    const answer = await api.get("/convert", { cube: moves, format: "scramble", to: "facelets" }).catch(() => null);
    if (linked !== moves || !answer?.links) return;
    const play = store.get().solution?.moves ?? [];
    const solve = play.length
      ? {
          dash: `&alg=${play.join("_").replaceAll("'", "-")}`,
          plain: `&alg=${encodeURIComponent(play.join(" "))}`,
        }
      : { dash: "", plain: "" };
    links.replaceChildren(
      h(
        "a",
        {
          href: answer.links.alg_cubing_net + solve.dash,
          rel: "noreferrer",
          target: "_blank",
        },
        "alg.cubing.net",
      ),
      h(
        "a",
        {
          href: answer.links.twizzle + solve.plain,
          rel: "noreferrer",
          target: "_blank",
        },
        "alpha.twizzle.net",
      ),
    );
  }

  function draw() {
    const state = store.get();
    field.value = address();
    setupCopy.disabled = setup() === null;
    solution.disabled = sheet.disabled = !state.solution?.length;
    links.hidden = setup() === null;
    void readLinks();
  }
  store.subscribe((_, changed) => {
    if (changed.has("step") || changed.has("mode")) field.value = address();
    if (changed.has("stickers") || changed.has("solution")) said.textContent = "";
    if (["stickers", "solution", "scramble", "preview"].some((field) => changed.has(/** @type {any} */ (field)))) {
      linked = "";
      draw();
    }
  });
  draw();
}
