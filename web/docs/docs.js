// @ts-check
// The contract as a page: an index with a filter, and every operation with a form that sends it.

import { button, fill, h } from "../dom.js";
import { KEY } from "./answer.js";
import { markdown } from "./markdown.js";
import { operationBody } from "./operation.js";
import { Schemas, fold, members } from "./schema.js";
import { contract as phrases, contractPage } from "../sentences.js";

/** @typedef {Record<string, any>} Any */
/** @typedef {{section: HTMLElement, details: HTMLDetailsElement, link: HTMLElement, words: string}} Shown */

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const content = byId("all-operations");
const filter = /** @type {HTMLInputElement} */ (byId("filter-box"));
const index = /** @type {HTMLDetailsElement} */ (byId("operation-index"));

/** On a narrow screen the index stands above the operations, and is closed until it is needed. */
const narrow = matchMedia("(max-width: 56.1875em)");
const closeIndex = () => (index.open = !narrow.matches);
narrow.addEventListener("change", closeIndex);
closeIndex();

/** @param {Any} api */
function draw(api) {
  const schemas = new Schemas(api);
  /** @type {Shown[]} */
  const shown = [];
  /** @type {{section: HTMLElement, group: HTMLElement, own: Shown[]}[]} */
  const groups = [];
  const problem = fold(phrases.membersOfAProblemDocument, () =>
    members(schemas, { $ref: "#/components/schemas/Problem" }, false),
  );
  content.append(h("section", { class: "about" }, ...markdown(api.info.description), keyField(), problem));
  for (const { name, description } of api.tags) {
    const own = operations(schemas, name).map((operation) => entry(schemas, operation));
    const heading = h("h2", {}, name[0].toUpperCase() + name.slice(1), " ", h("span", { class: "quiet" }, description));
    const section = h("section", { "aria-label": name }, heading, ...own.map(({ section }) => section));
    const group = h("div", {}, h("h2", {}, name), h("ul", {}, ...own.map(({ link }) => link)));
    content.append(section);
    byId("operation-list").append(group);
    groups.push({ section, group, own });
    shown.push(...own);
  }
  const apply = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { section, link, words } of shown) {
      const isHidden = !wanted.every((word) => words.includes(word));
      section.hidden = link.hidden = isHidden;
      if (!isHidden) count += 1;
    }
    for (const { section, group, own } of groups) section.hidden = group.hidden = own.every(({ link }) => link.hidden);
    byId("filter-count").textContent = wanted.length
      ? phrases.ofOperations(count, shown.length)
      : phrases.operations(shown.length);
  };
  filter.addEventListener("input", () => {
    apply();
    if (narrow.matches) index.open = filter.value !== "";
  });
  filter.addEventListener("keydown", ({ key }) => {
    const found = shown.filter(({ link }) => !link.hidden);
    if (key === "Enter" && found.length) location.hash = found[0].section.id;
  });
  apply();
  const open = (/** @type {Event | null} */ event) => {
    const target = shown.find(({ section }) => section.id === location.hash.slice(1));
    for (const { link } of shown) link.querySelector("a")?.removeAttribute("aria-current");
    if (!target) return;
    if (target.section.hidden) {
      filter.value = "";
      apply();
    }
    closeIndex();
    target.link.querySelector("a")?.setAttribute("aria-current", "true");
    target.link.scrollIntoView({ block: "nearest" });
    target.details.open = true;
    target.section.scrollIntoView();
    if (event) target.details.querySelector("summary")?.focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  open(null);
}

/**
 * The operations of a group, with their parameters and responses instead of references. Those whose path begins with its name are first.
 * @param {Schemas} schemas @param {string} group @returns {import("./operation.js").Operation[]}
 */
function operations(schemas, group) {
  /** @param {Any} operation @returns {Any} */
  const withComponents = ({ parameters = [], responses, ...own }) => ({
    ...own,
    parameters: parameters.map((/** @type {Any} */ parameter) => schemas.follow(parameter)),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, schemas.follow(response)]),
    ),
  });
  const all = Object.entries(/** @type {Record<string, Any>} */ (schemas.api.paths)).flatMap(([path, item]) =>
    Object.entries(/** @type {Record<string, Any>} */ (item)).map(([method, operation]) => ({
      method,
      path,
      operation: withComponents(operation),
    })),
  );
  const rank = (/** @type {{path: string}} */ { path }) => (path.startsWith(`/${group}`) ? 0 : 1);
  return all.filter(({ operation }) => operation.tags?.includes(group)).sort((a, b) => rank(a) - rank(b));
}

/** @param {Schemas} schemas @param {import("./operation.js").Operation} operation @returns {Shown} */
function entry(schemas, operation) {
  const { method, path } = operation;
  const { operationId: id, summary, description, parameters, responses } = operation.operation;
  const verb = () => h("span", { class: `method ${method}` }, method.toUpperCase());
  // Long paths may break after a slash.
  const words = () => path.split(/(?<=\/)/).flatMap((part) => [part, h("wbr")]);
  const title = h("h3", {}, verb(), " ", h("code", {}, ...words()), " ", h("span", {}, summary));
  const details = h("details", {}, h("summary", {}, title));
  details.addEventListener("toggle", () => {
    if (!details.open) return;
    if (details.childElementCount === 1) details.append(operationBody(schemas, operation));
    history.replaceState(null, "", `#${id}`);
  });
  const section = h("section", { id, class: "operation" }, details);
  const link = h("li", {}, h("a", { href: `#${id}`, title: summary }, verb(), " ", h("code", {}, ...words())));
  const names = parameters.map((/** @type {Any} */ parameter) => parameter.name);
  const codes = Object.values(responses).map((response) => response.description);
  const text = [method, path, id, summary, description, ...names, ...codes].join(" ").toLowerCase();
  return { section, details, link, words: text };
}

/** The key is sent with every request of this page, and forgotten when the tab is closed. */
function keyField() {
  const input = h("input", {
    id: "api-key",
    type: "password",
    autocomplete: "off",
    value: sessionStorage.getItem(KEY) ?? "",
  });
  const save = () => {
    if (input.value) sessionStorage.setItem(KEY, input.value);
    else sessionStorage.removeItem(KEY);
    dispatchEvent(new Event("superflip-key"));
  };
  input.addEventListener("input", save);
  const help = h("span", { class: "quiet" }, phrases.sentWithEveryRequestOf);
  return h("p", { class: "row" }, h("label", { for: "api-key" }, phrases.apiKey), input, help);
}

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (
    event.key !== "/" ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    /INPUT|TEXTAREA|SELECT/.test(target.tagName)
  )
    return;
  event.preventDefault();
  filter.focus();
});

async function load() {
  const state = h("p", { role: "status" }, phrases.loadingTheContract);
  content.replaceChildren(state);
  try {
    const response = await fetch("/openapi.json");
    if (!response.ok) throw new Error(`status ${response.status}`);
    const api = await response.json();
    content.replaceChildren();
    draw(api);
  } catch (error) {
    state.textContent = phrases.theContractCannotBeLoaded(/** @type {Error} */ (error).message);
    content.replaceChildren(state, button(phrases.tryAgain, load));
  }
}

fill(contractPage);
void load();
