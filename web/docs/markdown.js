// @ts-check
// Turns the Markdown of the contract into elements: paragraphs, lists, code and links. Everything else stays text, so no markup of the
// contract reaches the page.

import { h } from "../dom.js";

const INLINE = /`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;
const ITEM = /^(?:[-*]|\d+\.) +/;

/** Code and links in a line. @param {string} text @returns {(Node | string)[]} */
export function inline(text) {
  /** @type {(Node | string)[]} */
  const out = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, label, target] = match;
    out.push(text.slice(from, match.index));
    if (code !== undefined) out.push(h("code", {}, code));
    else if (/^(https?:\/\/|\/|#)/.test(target)) out.push(h("a", { href: target }, ...inline(label)));
    else out.push(...inline(label));
    from = match.index + whole.length;
  }
  out.push(text.slice(from));
  return out.filter((part) => part !== "");
}

/** Paragraphs and lists. @param {string | undefined} text @returns {HTMLElement[]} */
export function markdown(text = "") {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const lines = block.trim().split("\n");
      if (!ITEM.test(lines[0])) return h("p", {}, ...inline(lines.join(" ")));
      /** @type {string[]} */
      const items = [];
      for (const line of lines) {
        if (ITEM.test(line)) items.push(line.replace(ITEM, ""));
        else items[items.length - 1] += ` ${line.trim()}`;
      }
      const list = /^\d/.test(lines[0]) ? "ol" : "ul";
      return h(list, {}, ...items.map((item) => h("li", {}, ...inline(item))));
    });
}
