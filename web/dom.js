// @ts-check
// Helpers that build elements.

/**
 * Makes an element. Keys with `on` add listeners; `class`, `data-*`, `aria-*` and `for` are attributes; the rest are properties.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [props] @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-"))
      /** @type {any} */ (element)[name] = value;
    else if (value !== false && value !== null) element.setAttribute(name === "class" ? "class" : name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {string} text @param {() => void} onclick @param {Record<string, any>} [props] */
export const button = (text, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text);

/**
 * Fills the elements of the document that name a sentence: `data-say` for the text, `data-say-label` and others for an attribute.
 *
 * @param {Record<string, string>} sentences
 */
export function fill(sentences) {
  const attributes = { say: "", sayLabel: "aria-label", sayPlaceholder: "placeholder", sayContent: "content" };
  const named = "[data-say], [data-say-label], [data-say-placeholder], [data-say-content]";
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(named)))
    for (const [key, attribute] of Object.entries(attributes)) {
      const text = sentences[element.dataset[key] ?? ""];
      if (text && attribute) element.setAttribute(attribute, text);
      else if (text && element.textContent !== text) element.textContent = text;
    }
}

/** A sentence of the service; what stands between backticks is set as code. @param {string} text */
export const sentence = (text) =>
  h("p", {}, ...text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part)));

/** Whether the user touches the screen, so that nothing can be pointed at. */
export const isTouch = () => matchMedia("(hover: none)").matches;

/** Whether a key press belongs to a field in which text is written. @param {EventTarget | null} target */
export function isTextField(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(button|checkbox|radio|range|color)$/.test(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
