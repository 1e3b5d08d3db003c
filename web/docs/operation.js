// @ts-check
// One operation of the contract: its text, a form that sends it, and its responses.

import { button, h } from "../dom.js";
import { curlOf, send } from "./answer.js";
import { pretty } from "./json.js";
import { inline, markdown } from "./markdown.js";
import { describe, fold, hasMembers, members } from "./schema.js";
import { operation as phrases } from "../sentences.js";

/** @typedef {import("./schema.js").Schemas} Schemas */
/** @typedef {Record<string, any>} Any */
/** @typedef {{method: string, path: string, operation: Any}} Operation */

/** @param {Schemas} schemas @param {Operation} entry */
export function operationBody(schemas, { method, path, operation }) {
  const parameters = fieldsOf(schemas, operation);
  const payload = payloadOf(schemas, operation);
  const accept = acceptOf(operation);
  const shell = h("code", {});
  const answer = h("div", { class: "answer" });
  const copy = button(phrases.copy, async () => {
    await navigator.clipboard.writeText(shell.textContent ?? "");
    copy.textContent = phrases.copied;
    setTimeout(() => (copy.textContent = phrases.copy), 2000);
  });
  // The clipboard needs HTTPS or localhost; elsewhere the line can be selected.
  copy.hidden = !navigator.clipboard;

  /** The request as the form describes it. @returns {import("./answer.js").Request} */
  const request = () => {
    let target = path;
    const query = [];
    /** @type {Record<string, string>} */
    const headers = {};
    for (const { name, place, input } of parameters) {
      const { value } = input;
      if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(value));
      else if (value !== "" && place === "query") query.push(`${name}=${encodeURIComponent(value)}`);
      else if (value !== "") headers[name] = value;
    }
    if (accept) headers.accept = accept.value;
    if (payload) headers["content-type"] = payload.type();
    if (query.length) target += `?${query.join("&")}`;
    return { method: method.toUpperCase(), path: target, headers, body: payload ? payload.text.value : null };
  };
  const draw = () => (shell.textContent = curlOf(request()));

  /** @type {AbortController | null} */
  let running = null;
  const stop = button(phrases.stop, () => running?.abort(), { hidden: true });
  const go = async () => {
    running?.abort();
    const own = (running = new AbortController());
    stop.hidden = false;
    try {
      await send(request(), answer, own.signal);
    } catch {
      if (running === own)
        answer.append(
          h("p", { role: "status" }, own.signal.aborted ? phrases.stopped : phrases.theConnectionClosedBeforeThe),
        );
    }
    if (running === own) stop.hidden = true;
  };
  const form = h(
    "form",
    {
      "aria-label": phrases.request(method.toUpperCase(), path),
      oninput: draw,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void go();
      },
    },
    parameters.length > 0 && h("h4", {}, phrases.parameters),
    parameters.length > 0 && h("div", { class: "parameters" }, ...parameters.map(({ row }) => row)),
    payload && payload.editor,
    h(
      "div",
      { class: "row send" },
      h("button", { class: "primary" }, phrases.send),
      stop,
      accept && h("label", {}, phrases.accept, accept),
    ),
    h("div", { class: "shell" }, h("pre", { tabIndex: 0, "aria-label": phrases.theRequestAsACurl }, shell), copy),
    answer,
  );
  draw();
  addEventListener("superflip-key", draw);
  return h(
    "div",
    { class: "body" },
    ...markdown(operation.description),
    form,
    payload?.about ?? "",
    ...responses(schemas, operation),
  );
}

/** Choice among the media types of the answer. @param {Any} operation */
function acceptOf(operation) {
  const types = Object.keys(operation.responses["200"]?.content ?? {});
  if (types.length < 2) return null;
  return h("select", {}, ...types.map((type) => h("option", { value: type }, type)));
}

/** @typedef {{name: string, place: string, input: HTMLInputElement | HTMLSelectElement, row: HTMLElement}} Field */

/** The parameters as fields. @param {Schemas} schemas @param {Any} operation @returns {Field[]} */
function fieldsOf(schemas, operation) {
  return operation.parameters.map((/** @type {Any} */ parameter) => {
    const { name, in: place, schema, required = false, description, example = schema.example } = parameter;
    const resolved = schemas.resolve(schema);
    const id = `${operation.operationId}.${name}`;
    const words = resolved.enum ?? (resolved.type === "boolean" ? ["true", "false"] : null);
    const props = { id, required, autocomplete: "off", spellcheck: false, "aria-describedby": `${id}.text` };
    const input = words
      ? h(
          "select",
          props,
          !required && h("option", { value: "" }, phrases.notSent),
          ...words.map((/** @type {string} */ word) => h("option", {}, word)),
        )
      : h("input", { ...props, type: "text", inputMode: /integer|number/.test(resolved.type) ? "numeric" : "text" });
    if (example !== undefined) input.value = String(example);
    const { facts, text } = describe(
      schemas,
      { ...resolved, description, example: undefined },
      { required, isRequest: true },
    );
    const row = [
      h(
        "div",
        { class: "label" },
        h("label", { for: id }, h("code", { class: "name" }, name)),
        " ",
        facts,
        place === "query" ? "" : h("span", { class: "quiet" }, phrases.inThe(place)),
      ),
      h("div", { class: "text", id: `${id}.text` }, ...text),
      h("div", { class: "input" }, input),
    ];
    return { name, place, input, row: h("div", { class: "parameter" }, ...row) };
  });
}

/** The editor of the body, prefilled with an example, and its schema. @param {Schemas} schemas @param {Any} operation */
function payloadOf(schemas, operation) {
  const { content, description } = operation.requestBody ?? {};
  if (!content) return null;
  const types = Object.keys(content);
  const media = content[types[0]];
  /** @type {[string, Any][]} */
  const examples = Object.entries(
    media.examples ?? { example: { value: media.example ?? schemas.sample(media.schema) } },
  );
  const write = (/** @type {any} */ value) => (typeof value === "string" ? value : pretty(value, 72));
  const text = h("textarea", { class: "mono", spellcheck: false, "aria-label": phrases.bodyOfTheRequest });
  const fill = (/** @type {any} */ value) => {
    text.value = write(value);
    text.rows = Math.min(20, Math.max(3, text.value.split("\n").length));
  };
  fill(examples[0][1].value);
  const names = examples.map(([name, { summary }], index) => h("option", { value: String(index) }, summary ?? name));
  const choice = h("select", { oninput: () => fill(examples[Number(choice.value)][1].value) }, ...names);
  const type = h("select", {}, ...types.map((one) => h("option", { value: one }, one)));
  const { facts, text: words } = describe(schemas, media.schema, { isRequest: true });
  const editor = h(
    "div",
    {},
    h("h4", {}, phrases.body),
    h(
      "div",
      { class: "row" },
      examples.length > 1 && h("label", {}, phrases.example, choice),
      types.length > 1 && h("label", {}, phrases.contentType, type),
    ),
    text,
  );
  const about = h(
    "div",
    {},
    h("h4", {}, phrases.membersOfTheBody),
    ...markdown(description),
    h("p", {}, h("code", {}, types[0]), " ", facts),
    ...words,
    hasMembers(schemas, media.schema) ? members(schemas, media.schema, true) : lineMembers(schemas, description, true),
  );
  return { editor, about, text, type: () => type.value };
}

/**
 * A body of lines is a string for the contract. Its description names the schema of a line.
 * @param {Schemas} schemas @param {string} text @param {boolean} isRequest
 */
function lineMembers(schemas, text = "", isRequest) {
  const name = [...text.matchAll(/`(\w+)`/g)]
    .map((match) => match[1])
    .find((word) => word in schemas.api.components.schemas);
  if (!name) return "";
  return fold(
    phrases.membersOf(name),
    () => members(schemas, { $ref: `#/components/schemas/${name}` }, isRequest),
    isRequest,
  );
}

/** @param {Schemas} schemas @param {Any} operation @returns {HTMLElement[]} */
function responses(schemas, operation) {
  const rows = Object.entries(operation.responses).map(([status, response]) => {
    const media = Object.entries(/** @type {Record<string, Any>} */ (response.content ?? {}));
    const isProblem = media.some(([type]) => type === "application/problem+json");
    const headers = Object.entries(/** @type {Record<string, Any>} */ (response.headers ?? {}));
    // A description of problems lists their codes.
    const lines = isProblem ? response.description.split("; ") : [response.description];
    return h(
      "li",
      {},
      h("code", { class: "name" }, status),
      h(
        "div",
        {},
        ...lines.map((/** @type {string} */ line) => h("p", {}, ...inline(line))),
        ...(isProblem
          ? []
          : media.flatMap(([type, { schema, example }]) => {
              const { facts, text } = describe(schemas, schema);
              const { properties, oneOf, type: kind } = schemas.resolve(schema);
              const isDeep = properties || oneOf || kind === "array";
              return [
                h("p", {}, h("code", {}, type), " ", facts),
                ...text,
                isDeep
                  ? fold(phrases.members, () => members(schemas, schema, false))
                  : type === media[0][0] && lineMembers(schemas, response.description, false),
                example &&
                  fold(phrases.example2, () =>
                    h("pre", { tabIndex: 0 }, typeof example === "string" ? example : pretty(example)),
                  ),
              ].filter((part) => part instanceof HTMLElement);
            })),
        headers.length > 0 &&
          fold(phrases.headers, () =>
            h(
              "ul",
              { class: "members" },
              ...headers.map(([name, { description }]) =>
                h("li", {}, h("code", { class: "name" }, name), ...markdown(description)),
              ),
            ),
          ),
      ),
    );
  });
  return [h("h4", {}, phrases.responses), h("ul", { class: "responses" }, ...rows)];
}
