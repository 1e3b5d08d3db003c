// @ts-check
// Reads a text as a cube. The service recognises the form; the caller's colours and holding are kept here.

import { CENTRES, inColoursOf } from "../actions.js";
import { api, Problem } from "../api.js";
import { read as phrases } from "../sentences.js";

/** Sticker letters of colour names, and the palette's letters. */
const NAMES = { W: "U", R: "R", G: "F", Y: "D", O: "L", B: "B" };
const FACES = "URFDLB";
/** The order of the faces in texts whose order is U L F R B D. */
const ULFRBD = [0, 4, 2, 1, 5, 3];

/** What each form is, for the line under the box. */
export const FORMS = phrases.forms;

/** Bytes of a text in an address. The service refuses longer addresses; the longest maneuver that it reads has half of them. */
const LONGEST = 40_000;

/**
 * A text without characters that cannot be seen. Programs put them between what is copied; errors count only what can be seen.
 * @param {string} text
 */
export const visible = (text) => text.replace(/[\p{Cf}\ufe0e\ufe0f]/gu, "").replace(/[^\S\t\n\r ]/g, " ");

/**
 * What a text was taken for, as a sentence.
 * @param {string} text @param {string} form
 * @param {boolean} [complete] whether the text has the form, even if its cube is impossible
 */
export function readAs(text, form, complete = true) {
  const name = FORMS[form] ?? form;
  if (complete) return phrases.readAs(name);
  const symbols = text.replace(/\s/g, "").length;
  const lists = /^(facelets|ulfrbd|net|digits)$/.test(form) && symbols !== 54;
  return lists ? phrases.looksLikeStickers(symbols) : phrases.looksLike(name);
}

/**
 * The 54 symbols of a sticker text in the order U R F D L B, or null if the text is of another form.
 * @param {string} text @param {string | null} form
 */
export function symbolsOf(text, form) {
  let symbols = [...text.replace(/\s/g, "")];
  if (form === "digits" && symbols.length === 55) symbols = symbols.slice(1);
  if (symbols.length !== 54) return null;
  const face = (/** @type {number} */ index) => symbols.slice(9 * index, 9 * index + 9);
  if (form === "facelets") return symbols;
  if (form === "ulfrbd" || form === "digits") {
    return [0, 1, 2, 3, 4, 5].flatMap((index) => face(ULFRBD.indexOf(index)));
  }
  if (form !== "net") return null;
  const row = (/** @type {number} */ from) =>
    [0, 1, 2].flatMap((index) => symbols.slice(from + 12 * index, from + 12 * index + 3));
  const [left, front, right, back] = [9, 12, 15, 18].map(row);
  return [...symbols.slice(0, 9), ...right, ...front, ...symbols.slice(45), ...left, ...back];
}

/**
 * Gives each symbol a colour: letters of colours and of faces keep their meaning, other symbols take the colours of the
 * faces on whose centres they stand.
 * @param {string[]} symbols
 */
export function coloursOf(symbols) {
  const upper = symbols.map((symbol) => symbol.toUpperCase());
  const used = [...new Set(upper)].filter((symbol) => symbol !== "?");
  if (used.every((symbol) => symbol in NAMES))
    return upper.map((symbol) => /** @type {any} */ (NAMES)[symbol] ?? "?").join("");
  if (used.every((symbol) => FACES.includes(symbol))) return upper.join("");
  /** @type {Map<string, string>} */
  const colour = new Map();
  CENTRES.forEach(
    (index, face) => symbols[index] !== "?" && !colour.has(symbols[index]) && colour.set(symbols[index], FACES[face]),
  );
  const free = [...FACES].filter((letter) => ![...colour.values()].includes(letter));
  for (const symbol of symbols) if (symbol !== "?" && !colour.has(symbol)) colour.set(symbol, free.shift() ?? "?");
  return symbols.map((symbol) => colour.get(symbol) ?? "?").join("");
}

/** Stickers of a text in the caller's colours, or null if it does not list stickers. @param {string} text @param {string | null} form */
function ownStickers(text, form) {
  const symbols = symbolsOf(text, form);
  return symbols && coloursOf(symbols);
}

/**
 * @param {string} text @param {{format?: string, signal?: AbortSignal}} [options]
 * @returns {Promise<{form: string, stickers: string, completed: number, scramble: string | null}>}
 */
export async function readCube(text, { format, signal } = {}) {
  if (new URLSearchParams({ text }).toString().length > LONGEST) {
    const detail = phrases.tooLong([...text].length);
    throw new Problem({ status: 400, code: "text_too_long", detail });
  }
  const value = jsonOf(text);
  const colors = Array.isArray(value) || (value && "1" in value);
  /** @type {Record<string, string>} */
  const options = format ? { format } : {};
  const answer =
    value === null
      ? await api.get("/convert", { cube: text, to: "facelets", ...options }, { signal })
      : await api.post("/convert", { [colors ? "colors" : "cube"]: value, to: ["facelets"] }, { signal });
  const form = answer.format ?? (colors ? "colors" : "cubies");
  const own = value === null ? ownStickers(text, form) : null;
  const stickers = own ? inColoursOf(answer.forms.facelets, own) : answer.forms.facelets;
  const completed = own ? own.split("?").length - 1 : 0;
  const scramble = form === "scramble" ? text.trim() : null;
  return { form, stickers, completed, scramble };
}

/**
 * The stickers of a text that the service refused, so that they can be shown and corrected.
 * @param {string} text @param {import("../types").ProblemFields} problem
 */
export function refusedStickers(text, problem) {
  return ownStickers(text, problem.format ?? (problem.code === "impossible_cube" ? "facelets" : null));
}

/** @param {string} text */
function jsonOf(text) {
  if (!/^\s*[{[]\s*["[{\d]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
