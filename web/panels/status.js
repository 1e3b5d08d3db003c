// @ts-check
// The line under the header: tables that load, a service that is gone, a key that is required.

import { api, proverOf } from "../api.js";
import { h, sentence } from "../dom.js";
import { store } from "../store.js";
import { status as phrases } from "../sentences.js";

/** @param {HTMLElement} place @param {() => Promise<unknown>} retry called when the service answers again */
export function mountStatus(place, retry) {
  const text = h("span", {});
  const bar = h("progress", { max: 1000, "aria-label": phrases.tables });
  const input = h("input", {
    type: "password",
    id: "key",
    autocomplete: "off",
    required: true,
  });
  const key = h(
    "form",
    { class: "row", onsubmit: send },
    h("label", { htmlFor: "key" }, phrases.apiKey),
    input,
    h("button", { class: "primary" }, phrases.useKey),
  );
  place.append(text, bar, key);
  let problem = "";
  /** Whether the service answers again, and what waited for it is on its way. */
  let catchingUp = false;

  /** @param {Event} event */
  function send(event) {
    event.preventDefault();
    problem = "";
    api.setKey(input.value.trim());
    input.value = "";
    draw();
  }

  function draw() {
    const { online, ready, progress, solution } = store.get();
    const loading = online && !ready;
    bar.hidden = !loading || !progress;
    bar.value = progress?.permille ?? 0;
    key.hidden = !problem;
    place.hidden = online && ready && !problem && !catchingUp;
    const stage = /** @type {"building" | "opening" | "waiting"} */ (progress?.stage ?? "opening");
    if (!online && solution?.isLocal) text.textContent = phrases.solvedHere(solution.proven);
    else if (!online) text.textContent = phrases.theServiceDoesNotAnswer;
    else if (problem) text.replaceChildren(...sentence(problem).childNodes);
    else if (loading) text.textContent = phrases[stage](Math.floor((progress?.permille ?? 0) / 10));
  }

  api.addEventListener("ready", (event) => {
    const waited = !store.get().ready;
    const answer = /** @type {CustomEvent} */ (event).detail;
    store.set({ ready: true, online: true, progress: null, prover: proverOf(answer) });
    if (!waited) return;
    catchingUp = true;
    draw();
    void retry().finally(() => {
      catchingUp = false;
      draw();
    });
  });
  api.addEventListener("progress", (event) => {
    store.set({
      ready: false,
      online: true,
      progress: /** @type {CustomEvent} */ (event).detail.progress ?? null,
    });
  });
  api.addEventListener("offline", () => store.set({ online: false, ready: false }));
  api.addEventListener("key", (event) => {
    problem = /** @type {CustomEvent} */ (event).detail.detail;
    draw();
    input.focus();
  });
  store.subscribe((_, changed) => {
    const shown = /** @type {const} */ (["online", "ready", "progress", "solution"]);
    if (shown.some((key) => changed.has(key))) draw();
  });
  draw();
}
