// Every sentence of the page stands in web/sentences.js.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import ts from "typescript";
import { contractPage, page } from "../../../web/sentences.js";

const folder = new URL("../../../web/", import.meta.url);

/** Functions whose arguments are selectors or names of the browser. */
const SELECT = /^(querySelector|querySelectorAll|closest|matches|matchMedia|getContext|setAttribute|svgElement|svg)$/;

/** Names of keys, errors and layers, which are the same in every language. */
const NAMES = /^(Arrow\w+|Home|End|Enter|Escape|Delete|Backspace|Bearer .*|\w+Error|[URFDLB]w)$/;

/** Whether a text is for a reader: it begins with a capital like a label, or has two plain words in a row. @param {string} text */
const isSentence = (text) =>
  !NAMES.test(text) && (/^\W*[A-Z][a-z]+(?![-\w])/.test(text) || /[a-z],? (… )?[a-z]{2}/.test(text));

/** The text of a literal, with `…` for each value in it. @param {ts.Node} node */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return "";
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join("");
}

/** Sentences of a module, with their lines. @param {string} file */
function sentencesOf(file) {
  const source = ts.createSourceFile(file, readFileSync(new URL(file, folder), "utf8"), ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const found = [];
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isPropertyAssignment(node) && /^"?(class|d|pattern)"?$/.test(node.name.getText())) return;
    if (isSentence(textOf(node)) && !isName(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${file}:${line + 1}: ${textOf(node)}`);
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  return found;
}

/** Whether a text is an argument of a function that takes names, or one of its parts. @param {ts.Node} node */
function isName(node) {
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== node) return false;
  const { expression } = parent;
  return SELECT.test(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());
}

test("no sentence stands outside of sentences.js", () => {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".js") && file !== "sentences.js");
  assert(files.length > 30, files.join(" "));
  assert.deepEqual(files.flatMap(sentencesOf), []);
});

/** The value of an attribute of a tag. @param {string} tag @param {string} name */
const attribute = (tag, name) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "";

for (const [file, sentences] of /** @type {[string, Record<string, string>][]} */ ([
  ["index.html", page],
  ["docs/index.html", contractPage],
]))
  test(`${file} repeats sentences, and names each of them`, () => {
    const html = readFileSync(new URL(file, folder), "utf8");
    /** @type {Set<string>} */
    const named = new Set();
    const rest = html.replace(/<[^>]*>([^<]*)/g, (whole, text) => {
      const tag = whole.slice(0, whole.length - text.length);
      for (const [say, own] of Object.entries({
        label: "aria-label",
        content: "content",
        placeholder: "placeholder",
      })) {
        const key = attribute(tag, `data-say-${say}`);
        // The size of the screen and the colour schemes are for the browser.
        if (!key) assert(!isSentence(attribute(tag, own)) || /viewport|color-scheme/.test(tag), tag);
        else assert.equal(attribute(tag, own), sentences[named.add(key) && key]);
      }
      const key = attribute(tag, "data-say");
      if (!key) return text;
      assert.equal(text.trim(), sentences[named.add(key) && key]);
      return "";
    });
    assert.deepEqual([...named].sort(), Object.keys(sentences).sort());
    assert.deepEqual(
      new Set(rest.match(/\w+/g)?.filter((word) => !/^(superflip|API|YAML|JSON)$/.test(word))),
      new Set(),
    );
  });
