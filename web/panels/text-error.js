// @ts-check
// What is wrong with a text, in plain words, and where: pure functions, without a document. The service knows every form; most people
// write moves.

import { textError as phrases } from "../sentences.js";

/** @typedef {import("../types").ProblemFields} ProblemFields */

/** The start and end of the wrong characters in the units of a text box, or null if no character is wrong. @typedef {[number, number] | null} Range */

const MOVES = phrases.moves;

/**
 * @param {string} text @param {ProblemFields} problem
 * @returns {{sentence: string, range: Range}}
 */
export function textError(text, { detail, position, code }) {
  const known = detail.replace(/^Read as \w+: /, "");
  const plain = known.charAt(0).toUpperCase() + known.slice(1);
  if (position === undefined) return { sentence: detail, range: null };
  const symbols = [...text];
  const start = symbols.slice(0, position).join("").length;
  if (position >= symbols.length) return { sentence: code === "notation" ? endOf(symbols) : plain, range: null };
  // The twenty pieces of Reid are words.
  const word = /`(\S+)` as word/.exec(detail)?.[1] ?? symbols[position];
  const range = /** @type {[number, number]} */ ([start, start + word.length]);
  // A move that is one too many is a move. A detail that says what to write is better than a sentence for any symbol.
  const isMove = /[UDLRFBMESudlrfbxyzXYZ]/.test(symbols[position]);
  if (code !== "notation" || isMove || /\bwrite\b/i.test(detail)) return { sentence: plain, range };
  return { sentence: moveError(symbols[position], position + 1), range };
}

/** @param {string} symbol @param {number} place counted from 1 */
function moveError(symbol, place) {
  if (/\d/.test(symbol)) return phrases.number(place, symbol);
  if (/[)\]]/.test(symbol)) return phrases.closesNothing(place, symbol);
  if (/\s/.test(symbol)) return phrases.space(place);
  return phrases.notAMove(place, symbol, MOVES);
}

/** A text of moves that ends too early. @param {string[]} symbols */
function endOf(symbols) {
  /** @type {number[]} */
  const open = [];
  for (const [at, symbol] of symbols.entries()) {
    if (/[([]/.test(symbol)) open.push(at);
    else if (/[)\]]/.test(symbol)) open.pop();
  }
  const last = open.at(-1);
  if (last === undefined) return phrases.ends(symbols.length);
  return phrases.openBracket(symbols[last], last + 1, symbols[last] === "(" ? ")" : "]");
}
