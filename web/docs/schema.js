// @ts-check
// Shows a JSON Schema of the contract as a foldable list of members.

import { h } from "../dom.js";
import { inline, markdown } from "./markdown.js";
import { schema as phrases } from "../sentences.js";

/** @typedef {Record<string, any>} Schema */

/** Follows references, and merges the parts of `allOf`. A nullable schema is the other part, marked with `nullable`. */
export class Schemas {
  /** @param {Record<string, any>} api The contract. */
  constructor(api) {
    this.api = api;
  }

  /** The component that a reference names; any other part of the contract as it is. @param {any} part @returns {any} */
  follow(part) {
    if (!part.$ref) return part;
    const path = part.$ref.split("/").slice(1);
    return path.reduce((/** @type {any} */ node, /** @type {string} */ name) => node[name], this.api);
  }

  /** @param {Schema} schema @returns {Schema} */
  resolve(schema) {
    if (schema.$ref) {
      const { $ref, ...own } = schema;
      return { name: $ref.split("/").at(-1), ...this.resolve(this.follow(schema)), ...own };
    }
    const { oneOf, allOf, type } = schema;
    if (Array.isArray(type)) {
      const types = type.filter((/** @type {string} */ one) => one !== "null");
      if (types.length === 1) return { ...schema, type: types[0], nullable: true };
    }
    const parts = oneOf?.filter((/** @type {Schema} */ part) => part.type !== "null");
    if (parts?.length === 1) return { ...this.resolve(parts[0]), nullable: true };
    if (!allOf) return schema;
    /** @type {Schema} */
    const merged = { ...schema, type: "object", properties: {}, required: [] };
    for (const part of allOf.map((/** @type {Schema} */ part) => this.resolve(part))) {
      merged.properties = { ...merged.properties, ...part.properties };
      merged.required = [...merged.required, ...(part.required ?? [])];
      if (part.oneOf) merged.oneOf = part.oneOf;
    }
    return merged;
  }

  /** A value of the schema: its example, or the required members. @param {Schema} schema @returns {any} */
  sample(schema) {
    const {
      example,
      default: usual,
      enum: words,
      oneOf,
      type,
      properties = {},
      required = [],
      items,
      minItems = 0,
    } = this.resolve(schema);
    const known = example ?? usual ?? words?.[0];
    if (known !== undefined) return known;
    if (oneOf) return this.sample(oneOf[0]);
    if (type === "array") return Array.from({ length: minItems }, () => this.sample(items));
    if (type === "object")
      return Object.fromEntries(required.map((/** @type {string} */ name) => [name, this.sample(properties[name])]));
    return { string: "", integer: 0, number: 0, boolean: false }[/** @type {"string"} */ (type)] ?? null;
  }

  /** The type in words. @param {Schema} schema @returns {string} */
  typeOf(schema) {
    const { type, items, oneOf, name } = this.resolve(schema);
    if (type === "array") {
      const item = items ? this.typeOf(items) : phrases.anyValues;
      return phrases.listOf(item);
    }
    if (oneOf) return name ?? phrases.oneOfForms(oneOf.length);
    if (type === "object") return name ?? "object";
    return type ?? (this.resolve(schema).enum ? "string" : phrases.anyValue);
  }

  /** Range, length and whether it may be null, in words. @param {Schema} schema @returns {string[]} */
  factsOf(schema) {
    const { minimum, maximum, minItems, maxItems, minLength, maxLength, nullable, ...rest } = this.resolve(schema);
    const facts = [this.typeOf(schema)];
    /** @param {number | undefined} least @param {number | undefined} most @param {string} unit */
    const range = (least, most, unit) => {
      if (least !== undefined && least === most) facts.push(`${least}${unit}`);
      else if (least !== undefined && most !== undefined) facts.push(phrases.fromTo(least, most, unit));
      else if (most !== undefined) facts.push(phrases.atMost(most, unit));
      else if (least) facts.push(phrases.atLeast(least, unit));
    };
    range(minimum, maximum, "");
    range(minItems, maxItems, phrases.items);
    range(minLength, maxLength, phrases.characters);
    if (rest.pattern) facts.push(phrases.pattern(rest.pattern));
    if (rest.default !== undefined) facts.push(phrases.byDefault(JSON.stringify(rest.default)));
    if (nullable) facts.push(phrases.orNull);
    return facts;
  }
}

/** Allowed words of a schema or of its items. @param {Schemas} schemas @param {Schema} schema @returns {any[] | undefined} */
function wordsOf(schemas, schema) {
  const { enum: words, items } = schemas.resolve(schema);
  return words ?? (items && wordsOf(schemas, items));
}

/** An example value in short. @param {any} value */
const short = (value) => (typeof value === "string" ? value : JSON.stringify(value));

/**
 * The description of a value: facts, text, words and example.
 * @param {Schemas} schemas @param {Schema} schema @param {{required?: boolean, isRequest?: boolean, example?: any}} [options]
 */
export function describe(schemas, schema, { required, isRequest, example } = {}) {
  const resolved = schemas.resolve(schema);
  const facts = schemas.factsOf(schema);
  // An optional member of a request may be null, which is the same as absent.
  const shown = facts.filter((fact) => fact !== phrases.orNull || (required && !isRequest));
  const words = wordsOf(schemas, schema);
  const value = example ?? resolved.example;
  return {
    facts: h(
      "span",
      { class: "quiet" },
      [...shown, required && isRequest ? phrases.required : ""].filter(Boolean).join(", "),
    ),
    text: [
      ...markdown(resolved.description),
      words && h("p", { class: "quiet" }, phrases.oneOf, ...inline(words.map((word) => `\`${word}\``).join(", "))),
      value !== undefined && h("p", { class: "quiet" }, phrases.example, h("code", {}, short(value))),
    ].filter((part) => part instanceof HTMLElement),
  };
}

/** The schema whose members are listed: that of the items of a list. @param {Schemas} schemas @param {Schema} schema @returns {Schema} */
function inner(schemas, schema) {
  const resolved = schemas.resolve(schema);
  if (resolved.type === "array" && resolved.items) return inner(schemas, resolved.items);
  if (resolved.additionalProperties?.$ref || resolved.additionalProperties?.type)
    return inner(schemas, resolved.additionalProperties);
  return resolved;
}

/** Whether a value has members, or several forms. @param {Schemas} schemas @param {Schema} schema */
export const hasMembers = (schemas, schema) => {
  const { properties, oneOf } = inner(schemas, schema);
  return Boolean(oneOf || (properties && Object.keys(properties).length));
};

/** A part that is built when it is opened for the first time. @param {string} title @param {() => Node} build */
export function fold(title, build, isOpen = false) {
  const details = h("details", { class: "fold" }, h("summary", {}, title));
  const fill = () => details.open && details.childElementCount === 1 && details.append(build());
  details.addEventListener("toggle", fill);
  details.open = isOpen;
  fill();
  return details;
}

/**
 * The members of an object, or the forms of a value with several.
 * @param {Schemas} schemas @param {Schema} schema @param {boolean} isRequest @returns {HTMLElement}
 */
export function members(schemas, schema, isRequest) {
  const { properties = {}, required = [], oneOf } = inner(schemas, schema);
  if (oneOf)
    return forms(
      schemas,
      oneOf.map((/** @type {Schema} */ form) => schemas.resolve(form)),
      isRequest,
    );
  return list(schemas, Object.entries(properties), required, isRequest);
}

/** @param {Schemas} schemas @param {[string, Schema][]} properties @param {string[]} required @param {boolean} isRequest */
function list(schemas, properties, required, isRequest) {
  const rows = properties.map(([name, schema]) => {
    const { facts, text } = describe(schemas, schema, { required: required.includes(name), isRequest });
    const title = phrases.membersOf(schemas.typeOf(inner(schemas, schema)));
    const more = hasMembers(schemas, schema) && fold(title, () => members(schemas, schema, isRequest));
    return h("li", {}, h("code", { class: "name" }, name), " ", facts, ...text, more);
  });
  return h("ul", { class: "members" }, ...rows);
}

/**
 * Alternatives. Objects that share members, such as requests that differ in the form of the cube, list the shared ones once.
 * @param {Schemas} schemas @param {Schema[]} alternatives @param {boolean} isRequest
 */
function forms(schemas, alternatives, isRequest) {
  const objects = alternatives.filter(({ properties }) => properties);
  const [first, ...others] = objects;
  const key = (/** @type {Schema} */ schema) => JSON.stringify(schema);
  /** @type {[string, Schema][]} */
  const shared =
    objects.length < 2 || objects.length < alternatives.length
      ? []
      : Object.entries(first.properties).filter(([name, schema]) =>
          others.every(({ properties }) => properties[name] && key(properties[name]) === key(schema)),
        );
  const names = new Set(shared.map(([name]) => name));
  /** @param {Schema} form @returns {[string, Schema][]} */
  const own = ({ properties = {} }) =>
    Object.entries(properties).filter(([name, { type }]) => !names.has(name) && type !== "null");
  if (shared.length && objects.every((form) => own(form).length === 1)) {
    const all = objects.flatMap(own);
    return h(
      "div",
      {},
      h("p", { class: "forms" }, phrases.exactlyOneOf),
      list(schemas, all, isRequest ? [] : (first.required ?? []), isRequest),
      h("p", { class: "forms" }, phrases.withAnyOfThese),
      list(
        schemas,
        shared,
        (first.required ?? []).filter((/** @type {string} */ name) => names.has(name)),
        isRequest,
      ),
    );
  }
  const rows = alternatives.map((form) => {
    const { facts, text } = describe(schemas, form, { isRequest });
    return h(
      "li",
      {},
      facts,
      ...text,
      hasMembers(schemas, form) && fold(phrases.members, () => members(schemas, form, isRequest)),
    );
  });
  return h("div", {}, h("p", { class: "forms" }, phrases.oneOf2), h("ul", { class: "members" }, ...rows));
}
