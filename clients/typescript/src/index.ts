/**
 * A client of superflip. It has one method for each operation of the contract, with the types of the contract.
 *
 * @example
 * const superflip = new Superflip("http://localhost:8080");
 * const { solution } = await superflip.solve({ scramble: "R U R' U'" });
 */
import type { components, operations } from "./contract.js";
import { OPERATIONS } from "./operations.js";

/** The schemas of the contract by name, such as `Schemas["SolveResult"]`. */
export type Schemas = components["schemas"];

type Table = typeof OPERATIONS;
type Id<Method extends keyof Table> = Table[Method]["id"] & keyof operations;

type Part<O, Name extends string> = O extends { parameters: { [N in Name]?: infer P } } ? Exclude<P, undefined> : {};
/** The type of a body of JSON. Other bodies are texts. */
type Json<O> = O extends { requestBody?: { content: { "application/json": infer B } } } ? B : {};
/** What a method takes: parameters of the path and of the query, and the fields of the body, in one object. */
type Input<O> = ([Part<O, "path">] extends [never] ? {} : Part<O, "path">) &
  ([Part<O, "query">] extends [never] ? {} : Part<O, "query">) &
  Json<O>;

type Content<O> = O extends { responses: { 200: { content: infer C } } } ? C : never;
type Answer<C> = C extends { "text/event-stream": infer E }
  ? AsyncGenerator<ServerEvent<Exclude<E, Schemas["Problem"]>>, void>
  : Promise<
      C extends { "application/json": infer T }
        ? T
        : C extends { "application/octet-stream": unknown }
          ? Blob
          : C extends { "image/png": unknown }
            ? Blob
            : string
    >;

/** An event of a stream: its name, such as `solution`, `lower_bound` or `result`, and its data. */
export interface ServerEvent<Data> {
  event: string;
  data: Data;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, and with it the search. */
  signal?: AbortSignal;
  /** Further headers, such as `Prefer: wait=60`. */
  headers?: Record<string, string>;
}

/** Options of a client. */
export interface ClientOptions {
  /** API key, if the service needs one. */
  key?: string;
  /** Another `fetch`. */
  fetch?: typeof fetch;
}

/** A problem that the service answered with. */
export class SuperflipError extends Error {
  /** The whole document: `code`, `detail`, `violations` and others. */
  readonly problem: Schemas["Problem"];

  constructor(problem: Schemas["Problem"]) {
    super(problem.detail ?? problem.title);
    this.name = "SuperflipError";
    this.problem = problem;
  }

  /** Code of the problem, such as `invalid_cube`. */
  get code(): Schemas["Problem"]["code"] {
    return this.problem.code;
  }
}

/** The methods, one for each operation. An input may be left out where nothing is required. */
type Methods = {
  [Method in Exclude<keyof Table, "solveBatch">]: {} extends Input<operations[Id<Method>]>
    ? (input?: Input<operations[Id<Method>]>, options?: CallOptions) => Answer<Content<operations[Id<Method>]>>
    : (input: Input<operations[Id<Method>]>, options?: CallOptions) => Answer<Content<operations[Id<Method>]>>;
};

/** Lines of a batch: texts of cubes, or requests with an optional `id`. */
type Lines = Iterable<string | Schemas["BatchLine"]> | AsyncIterable<string | Schemas["BatchLine"]>;

type Operation = Table[keyof Table];

/** A client of one service. */
export class Superflip {
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #key: string | undefined;

  /** @param url address of the service @param options API key, and another `fetch` */
  constructor(url: string, options: ClientOptions = {}) {
    this.#base = url.replace(/\/$/, "");
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.#key = options.key;
    for (const [name, operation] of Object.entries(OPERATIONS))
      if (!(name in this))
        Object.defineProperty(this, name, {
          value: (input: Record<string, unknown> = {}, options: CallOptions = {}) =>
            isStream(operation) ? this.#events(operation, input, options) : this.#call(operation, input, options),
        });
  }

  /**
   * Solves many cubes. Yields the answer of each line as it arrives, in the order of the lines unless `order` is `any`. A line with a problem
   * has `problem`. Leaving the loop ends the batch.
   *
   * Lines from an `AsyncIterable` are sent while answers arrive, where `fetch` can do that (node); otherwise all lines are sent first.
   *
   * @param lines texts of cubes, or requests @param input options for every line @throws SuperflipError if the whole batch ends early
   */
  async *solveBatch(
    lines: Lines,
    input: NonNullable<operations["solve_batch"]["parameters"]["query"]> = {},
    options: CallOptions = {},
  ): AsyncGenerator<Schemas["BatchAnswer"], void> {
    const body = await textOf(lines);
    const headers = { "content-type": "application/x-ndjson", accept: "application/x-ndjson" };
    const response = await this.#send(OPERATIONS.solveBatch, input, options, { body, headers });
    for await (const line of linesOf(response)) {
      const answer = JSON.parse(line);
      if (answer.problem && answer.line === undefined) throw new SuperflipError(answer.problem);
      yield answer;
    }
  }

  async #call(operation: Operation, input: Record<string, unknown>, options: CallOptions): Promise<unknown> {
    const response = await this.#send(operation, input, options);
    const type = response.headers.get("content-type") ?? "";
    if (type.includes("json")) return response.json();
    return /^(text|application\/yaml|image\/svg)/.test(type) ? response.text() : response.blob();
  }

  async *#events(operation: Operation, input: Record<string, unknown>, options: CallOptions) {
    const response = await this.#send(operation, input, options);
    let event = "message";
    for await (const line of linesOf(response)) {
      if (line.startsWith("event:")) event = line.slice(6).trim();
      if (!line.startsWith("data:")) continue;
      const data = JSON.parse(line.slice(5));
      if (event === "problem") throw new SuperflipError(data);
      yield { event, data };
    }
  }

  /** Sends a request. Each field of `input` goes where the contract has it. @throws SuperflipError for a problem */
  async #send(
    { method, path, query, body: media }: Operation,
    input: Record<string, unknown>,
    { signal, headers }: CallOptions,
    given: { body?: BodyInit; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
    const take = (name: string) => {
      const value = fields.get(name);
      fields.delete(name);
      return String(value);
    };
    let address = this.#base + path.replace(/\{\*?(\w+)\}/g, (_, name) => encodeURIComponent(take(name)));
    const pairs = query.filter((name) => fields.has(name)).map((name) => [name, take(name)]);
    if (pairs.length) address += `?${new URLSearchParams(pairs)}`;
    const body = given.body ?? (media === "application/json" ? JSON.stringify(Object.fromEntries(fields)) : null);
    const response = await this.#fetch(address, {
      method,
      body,
      headers: {
        ...(media && { "content-type": media }),
        ...(this.#key && { authorization: `Bearer ${this.#key}` }),
        ...given.headers,
        ...headers,
      },
      ...(signal && { signal }),
      ...(body instanceof ReadableStream && { duplex: "half" }),
    });
    if (response.ok) return response;
    const text = await response.text();
    if (!response.headers.get("content-type")?.includes("json")) throw new Error(`${response.status}: ${text}`);
    throw new SuperflipError(JSON.parse(text));
  }
}

export interface Superflip extends Methods {}

const isStream = ({ path }: Operation) => path.endsWith("/stream");

/** The text of lines: a stream where the lines arrive over time, and `fetch` can send one. */
async function textOf(lines: Lines): Promise<BodyInit> {
  const text = (line: string | object) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`;
  if (Symbol.iterator in lines) return Array.from(lines, text).join("");
  if (!sendsStreams()) {
    let all = "";
    for await (const line of lines) all += text(line);
    return all;
  }
  const iterator = lines[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(text(value)));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

/** Whether `fetch` can send a body while it reads the answer. Browsers need HTTP/2 for that, or cannot. */
const sendsStreams = () => !("window" in globalThis) && !("importScripts" in globalThis);

/** The lines of an answer. */
async function* linesOf(response: Response): AsyncGenerator<string, void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines.filter((line) => line.trim());
    }
    if (rest.trim()) yield rest;
  } finally {
    // A loop that is left early ends the search too.
    await reader.cancel().catch(() => undefined);
  }
}
