// @ts-check
// Sends a request and shows its answer: status, time, headers, and the body by its type.

import { h } from "../dom.js";
import { size } from "../size.js";
import { pretty } from "./json.js";
import { fold } from "./schema.js";
import { answer as phrases } from "../sentences.js";

/** @typedef {{method: string, path: string, headers: Record<string, string>, body: string | null}} Request */

export const KEY = "superflip.key";

/** Longer texts are cut, and older lines of a stream are dropped, to keep the page fast. */
const MAX_CHARACTERS = 200_000;
const MAX_LINES = 1000;

/** The request as a command for a shell. The key is a variable, so that a copied line does not reveal it. @param {Request} request */
export function curlOf({ method, path, headers, body }) {
  const quote = (/** @type {string} */ text) => `'${text.replaceAll("'", `'\\''`)}'`;
  const parts = [`curl -sN ${quote(location.origin + path)}`];
  if (method !== "GET" && body === null) parts.push(`-X ${method}`);
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (sessionStorage.getItem(KEY)) parts.push(`-H "Authorization: Bearer $KEY"`);
  if (body !== null) parts.push(`--data-binary ${quote(body)}`);
  return parts.join(" ");
}

/** @param {number} start */
const since = (start) => `${(performance.now() - start).toFixed(0)} ms`;

/**
 * Sends the request, and fills `box` with the answer. Throws only when the request is stopped.
 * @param {Request} request @param {HTMLElement} box @param {AbortSignal} signal
 */
export async function send(request, box, signal) {
  const key = sessionStorage.getItem(KEY);
  const headers = { ...request.headers, ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const state = h("p", { role: "status" }, phrases.waitingForTheAnswer);
  box.replaceChildren(state);
  const start = performance.now();
  let response;
  try {
    response = await fetch(request.path, {
      method: request.method,
      headers,
      body: request.body,
      signal,
      cache: "no-store",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    state.textContent = phrases.theServiceDoesNotAnswer;
    return;
  }
  const status = h("strong", {}, `${response.status} ${response.statusText}`.trim());
  const facts = h("span", { class: "quiet" }, since(start));
  state.replaceChildren(status, " ", facts);
  const names = [...response.headers].map(([name, value]) => h("li", {}, h("code", {}, `${name}: ${value}`)));
  box.append(fold(phrases.headers, () => h("ul", { class: "plain" }, ...names)));
  const type = response.headers.get("content-type") ?? "";
  if (/event-stream|ndjson/.test(type)) {
    await showLines(response, box, start);
    facts.textContent = phrases.endedAfter(since(start));
    return;
  }
  const blob = await response.blob();
  facts.textContent = `${since(start)}, ${size(blob.size)}`;
  if (blob.size) box.append(await body(blob, type));
}

/** @param {Blob} blob @param {string} type */
async function body(blob, type) {
  if (type.startsWith("image/"))
    return h("img", { src: URL.createObjectURL(blob), alt: phrases.thePictureOfTheAnswer });
  if (type.startsWith("application/octet-stream")) {
    return h(
      "p",
      {},
      h("a", { href: URL.createObjectURL(blob), download: "answer.bin" }, phrases.save(size(blob.size))),
    );
  }
  let text = await blob.text();
  if (/\bjson\b/.test(type)) {
    try {
      text = pretty(JSON.parse(text));
    } catch {
      // Shown as it is.
    }
  }
  const rest = text.length - MAX_CHARACTERS;
  if (rest > 0) text = phrases.andMoreCharacters(text.slice(0, MAX_CHARACTERS), rest);
  return h("pre", { tabIndex: 0, "aria-label": phrases.bodyOfTheAnswer }, text);
}

/** Shows each line when it arrives, with its time. @param {Response} response @param {HTMLElement} box @param {number} start */
async function showLines(response, box, start) {
  const list = h("ol", { class: "plain lines", tabIndex: 0, "aria-label": phrases.linesOfTheAnswer });
  box.append(list);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: "", done: true };
    const lines = (text + (value ?? "")).split(/\r?\n/);
    text = done ? "" : /** @type {string} */ (lines.pop());
    const time = since(start);
    for (const line of lines.filter(Boolean)) {
      list.append(h("li", {}, h("span", { class: "quiet" }, time), " ", h("code", {}, line)));
      if (list.childElementCount > MAX_LINES) list.firstElementChild?.remove();
    }
    list.scrollTop = list.scrollHeight;
    if (done) return;
  }
}
