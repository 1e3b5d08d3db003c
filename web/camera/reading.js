// @ts-check
// From 54 samples to a cube in the colours of the palette. The service reads the cube; nothing is classified here.

import { FACES } from "../cube/cube.js";
import { listed } from "../cube/faults.js";
import { arrange, nearestCentres, turnFaces } from "./arrange.js";
import { matchPalette } from "./colour.js";
import { PLACES, centreOf } from "./holding.js";
import { reading as phrases } from "../sentences.js";

/** @typedef {import("./colour.js").Rgb} Rgb */
/** @typedef {{stickers: string, label: string}} Choice a cube, and what speaks for it */
/** @typedef {{choices: Choice[], doubtful: number[], sentence: string, samples: Rgb[], orders: string[]}} Reading */

/** A sticker is doubtful if its sample is nearer to the chosen colour by less than this (CIEDE2000). */
const DOUBT = 6;
/** Stickers that must look like another colour before the faces are tried in other rotations. */
const STRANGE = 3;
const COMPARE = phrases.compare;

/**
 * Asks the service for the cube of a scan.
 *
 * `choices` are the likely cubes, the best first. `samples` are in the order of the best cube. `orders` has for each sticker the letters
 * of the palette, the nearest to its sample first.
 *
 * @param {Rgb[]} scanned in the order of 54 stickers
 * @param {{api: {post: (path: string, body: unknown) => Promise<any>}, palette: Record<string, string>}} options
 * @returns {Promise<Reading>}
 */
export async function readScan(scanned, { api, palette }) {
  const first = await readAs(scanned, api, palette);
  const looks = nearestCentres(scanned).map((letters) => letters[0]);
  const strange = looks.filter((place, at) => place !== first.best[at]).length;
  const arranged = first.turns
    ? turnFaces(scanned, first.turns)
    : strange < STRANGE
      ? null
      : await arrange(scanned, api);
  if (!arranged) return first;
  const second = await readAs(arranged, api, palette);
  if (!first.turns && second.best === first.best) return first;
  const asScanned = first.turns ? [] : [{ ...first.choices[0], label: phrases.asScanned }];
  return {
    ...second,
    sentence: `${correctionOf(scanned, arranged)} ${COMPARE}`,
    choices: [...second.choices, ...asScanned],
  };
}

/** Which faces were scanned in another way than the pictures show, in words. @param {Rgb[]} scanned @param {Rgb[]} arranged */
export function correctionOf(scanned, arranged) {
  const isMoved = (/** @type {string} */ face) => scanned[centreOf(face)] !== arranged[centreOf(face)];
  /** @param {string} face */
  const isTurned = (face) => {
    const start = 9 * FACES.indexOf(face);
    return !isMoved(face) && scanned.slice(start, start + 9).some((sample, at) => sample !== arranged[start + at]);
  };
  const moved = [...FACES].filter(isMoved).map((face) => PLACES[face]);
  const turned = [...FACES].filter(isTurned).map((face) => PLACES[face]);
  const parts = [];
  if (moved.length) parts.push(phrases.swapped(listed(moved)));
  if (turned.length === 1) parts.push(phrases.oneRotated(turned[0]));
  if (turned.length > 1) parts.push(phrases.severalRotated(listed(turned)));
  return parts.join(" ");
}

/** @param {Rgb[]} samples @param {{post: (path: string, body: unknown) => Promise<any>}} api @param {Record<string, string>} palette */
async function readAs(samples, api, palette) {
  const { cubes, references, doubtful, sentence, turns } = await askService(samples, api);
  const letters = matchPalette(references, palette);
  /** @param {string} facelets */
  const inPalette = (facelets) => [...facelets].map((place) => letters[FACES.indexOf(place)]).join("");
  const choices = cubes.map(({ facelets, label }) => ({ stickers: inPalette(facelets), label }));
  const orders = nearestCentres(samples).map(inPalette);
  return { best: cubes[0].facelets, choices, doubtful, sentence, samples, orders, turns };
}

/** @param {Rgb[]} samples @param {{post: (path: string, body: unknown) => Promise<any>}} api */
async function askService(samples, api) {
  try {
    const { scan } = await api.post("/convert", { colors: samples, to: ["facelets"] });
    const unsure = scan.probability < 0.95 ? scan.runners_up.slice(0, 1) : [];
    const doubtful = [...samples.keys()].filter((at) => {
      const margin = scan.margins[at];
      return (
        margin &&
        (margin.delta_e < DOUBT || unsure.some((/** @type {string} */ other) => other[at] !== scan.facelets[at]))
      );
    });
    const cubes = [scan.facelets, ...unsure].map((facelets, at) => ({
      facelets,
      label: at ? phrases.theNextCube : phrases.probability(percent(scan.probability)),
    }));
    const sentence = doubtful.length ? phrases.compareMarked : COMPARE;
    const references = /** @type {number[][]} */ (scan.references);
    return { cubes, doubtful, references, sentence, turns: null };
  } catch (/** @type {any} */ problem) {
    if (problem.code !== "ambiguous_scan") throw problem;
    /** @type {Candidate[]} */
    // The page tries other orders of the faces itself.
    const candidates = problem.candidates.filter(isInOrder);
    const likely = candidates.filter(({ probability }) => probability >= 0.005);
    const cubes = (likely.length ? likely : candidates.slice(0, 1)).map(({ facelets, probability }) => ({
      facelets,
      label: phrases.probability(percent(probability)),
    }));
    const references = [...FACES].map((face) => samples[centreOf(face)]);
    // The service names faces that were probably held in another way.
    const likeliest = problem.candidates.reduce(likelier);
    const turns = (isInOrder(likeliest) && likeliest.turns) || null;
    const sentence = cubes.length > 1 ? problem.detail : phrases.compareMarked;
    return { cubes, doubtful: /** @type {number[]} */ (problem.doubtful), references, sentence, turns };
  }
}

/** @typedef {{facelets: string, probability: number, turns?: number[], order?: number[], mirrored?: boolean}} Candidate */

/** Whether the faces were scanned as the pictures show, perhaps turned. @param {Candidate} candidate */
const isInOrder = ({ order, mirrored }) => !order && !mirrored;

/** @param {Candidate} one @param {Candidate} other */
const likelier = (one, other) => (other.probability > one.probability ? other : one);

/** @param {number} probability */
const percent = (probability) => `${Math.round(100 * probability)}\u00a0%`;
