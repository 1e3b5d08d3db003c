// @ts-check
// The client of the service: JSON requests, the stream of /solve/stream, the API key, and the watch of /readyz.

import { api as phrases } from "./sentences.js";

/** @typedef {import("./types").ProblemFields} ProblemFields */

const KEY = "superflip.key";

/** An answer of the service that is a problem document, or a failure to reach the service (status 0). */
export class Problem extends Error {
  /** @param {ProblemFields} fields */
  constructor(fields) {
    super(fields.detail);
    this.fields = fields;
    Object.assign(this, fields);
  }
}

/**
 * A request that exceeds a limit (429) is sent again after `Retry-After`.
 *
 * Events: `offline`, `progress` when the service answers but loads its tables (detail: the answer of /readyz), `ready` (detail: the
 * same), `key` when the service requires a key (detail: the problem).
 */
class Client extends EventTarget {
  #key = "";
  #watching = false;
  /** Whether the service did not answer the last time. */
  #gone = false;
  /** Answers in place of the service, when the page has loaded its own solver. @type {import("./types").Local | null} */
  local = null;
  /** @type {Promise<void> | null} */
  #keyWait = null;
  /** @type {() => void} */
  #keyDone = () => {};

  constructor() {
    super();
    try {
      this.#key = sessionStorage.getItem(KEY) ?? "";
    } catch {
      // Storage is not allowed: the key lasts until the page is closed.
    }
  }

  /** @param {string} path @param {Record<string, string | number>} [params] @param {RequestInit} [init] */
  get(path, params = {}, init = {}) {
    const query = new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]));
    const answer = this.#json(query.size ? `${path}?${query}` : path, init);
    return answer.catch((error) => this.instead(error, path, params));
  }

  /**
   * The answer of the page's own solver to a request that did not reach the service. Throws the error of the request if there is none.
   * @param {any} error @param {string} path @param {Record<string, any>} fields
   */
  async instead(error, path, fields) {
    const answer = error.fields?.status === 0 && (await this.local?.(path, fields));
    if (!answer) throw error;
    return answer;
  }

  /** @param {string} path @param {unknown} body @param {RequestInit} [init] */
  post(path, body, init = {}) {
    const headers = { "content-type": "application/json" };
    return this.#json(path, {
      ...init,
      method: "POST",
      body: JSON.stringify(body),
      headers,
    });
  }

  /** @param {string} key */
  setKey(key) {
    this.#key = key;
    try {
      sessionStorage.setItem(KEY, key);
    } catch {
      // As above.
    }
    this.#keyDone();
    this.#keyWait = null;
  }

  /**
   * Reads the Server-Sent Events that answer a `POST`. Comments and unknown fields are skipped.
   * @param {string} path @param {unknown} body
   * @param {{onEvent: (event: any, data: any) => void, signal?: AbortSignal}} options
   */
  async stream(path, body, { onEvent, signal }) {
    const response = await this.#send(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
      },
      signal,
    });
    if (!response.ok || !response.body) throw await problemOf(response);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read().catch((error) => this.#lost(error));
      if (done) return;
      const blocks = (text + value).split(/\r?\n\r?\n/);
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = /^event: ?(.*)$/m.exec(block)?.[1];
        const data = [...block.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n");
        if (event && data) onEvent(event, JSON.parse(data));
      }
    }
  }

  /**
   * Asks /readyz until the service is ready, and the table for proofs, if there is one, is no longer starting.
   * @param {number} [seconds] before it asks first
   */
  async watchReady(seconds = 0) {
    if (this.#watching) return;
    this.#watching = true;
    if (seconds) await pause(seconds);
    for (;;) {
      const reached = await fetch("/readyz", { cache: "no-store" }).catch(() => null);
      const response = reached && !isOfProxy(reached) ? reached : null;
      const answer = response && (await response.json().catch(() => ({})));
      if (response) this.#gone = false;
      if (response) this.#emit(response.ok ? "ready" : "progress", answer);
      if (response?.ok && proverOf(answer)?.status !== "starting") break;
      // The table for proofs may take hours to build, and nothing else waits for it.
      await new Promise((resolve) => setTimeout(resolve, response?.ok ? 5000 : 1000));
    }
    this.#watching = false;
  }

  /** @param {string} path @param {RequestInit} init */
  async #json(path, init) {
    const response = await this.#send(path, init);
    if (!response.ok) throw await problemOf(response);
    return response.json();
  }

  /** @param {string} path @param {RequestInit} init @returns {Promise<Response>} */
  async #send(path, init) {
    // The watch notices that it is back.
    if (this.#gone && this.local) this.#lost();
    const headers = new Headers(init.headers);
    if (this.#key) headers.set("authorization", `Bearer ${this.#key}`);
    const response = await fetch(path, { ...init, headers }).catch((error) => this.#lost(error));
    if (isOfProxy(response)) this.#lost();
    if (response.status === 401) {
      const problem = await problemOf(response);
      this.#keyWait ??= new Promise((resolve) => (this.#keyDone = resolve));
      this.#emit("key", problem.fields);
      await this.#keyWait;
      return this.#send(path, init);
    }
    if (response.status === 429) {
      await pause(Number(response.headers.get("retry-after")) || 1, init.signal);
      return this.#send(path, init);
    }
    if (response.status === 503) void this.watchReady();
    return response;
  }

  /** @param {any} [error] @returns {never} */
  #lost(error) {
    if (error?.name === "AbortError") throw error;
    this.#gone = true;
    this.#emit("offline");
    // With a pause, since a request that fails beside a /readyz that does not is sent again when the watch ends.
    void this.watchReady(1);
    throw new Problem({
      status: 0,
      code: "offline",
      detail: phrases.theServiceDoesNotAnswer,
    });
  }

  /** @param {string} type @param {unknown} [detail] */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Returns the state of the table for proofs in an answer of /readyz; null if there is none. @param {any} answer */
export function proverOf(answer) {
  return answer?.sets?.find((/** @type {any} */ set) => set.optimal && set.metric === "htm") ?? null;
}

/** Whether a proxy answers because the service does not. The service's own errors are JSON. @param {Response} response */
function isOfProxy(response) {
  return [502, 503, 504].includes(response.status) && !/\bjson\b/.test(response.headers.get("content-type") ?? "");
}

/** @param {number} seconds @param {AbortSignal | null} [signal] */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, 1000 * seconds);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });
}

/** @param {Response} response */
async function problemOf(response) {
  const text = await response.text();
  try {
    return new Problem(JSON.parse(text));
  } catch {
    return new Problem({
      status: response.status,
      code: "http",
      detail: phrases.theServiceAnsweredWithStatus(response.status),
    });
  }
}

export const api = new Client();
