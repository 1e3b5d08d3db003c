// @ts-check
// From 54 samples to a cube in the colours of the palette. The service reads the cube; nothing is classified here.

import { FACES } from "../cube/cube.js";
import { distance, matchPalette } from "./colour.js";

/** @typedef {import("./colour.js").Rgb} Rgb */
/** @typedef {{stickers: string, label: string}} Choice a cube, and what speaks for it */
/** @typedef {{choices: Choice[], doubtful: number[], sentence: string, orders: string[]}} Reading */

/** A sticker is doubtful if its sample is nearer to the chosen colour by less than this (CIEDE2000). */
const DOUBT = 6;
/** Stickers that must look like another colour before the faces are tried in other rotations. */
const STRANGE = 3;

/**
 * Asks the service for the cube of a scan.
 *
 * `choices` are the likely cubes, the best first. `orders` has for each sticker the letters of the palette, the nearest to its
 * sample first.
 *
 * @param {Rgb[]} samples in the order of 54 stickers
 * @param {{api: {post: (path: string, body: unknown) => Promise<any>}, palette: Record<string, string>}} options
 * @returns {Promise<Reading>}
 */
export async function readScan(samples, { api, palette }) {
  const found = await askService(samples, api);
  const letters = matchPalette(found.references, palette);
  /** @param {string} facelets */
  const inPalette = (facelets) => [...facelets].map((place) => letters[FACES.indexOf(place)]).join("");
  const nearest = samples.map((sample) => {
    const costs = found.references.map((reference) => distance(sample, reference));
    return [...FACES].sort((a, b) => costs[FACES.indexOf(a)] - costs[FACES.indexOf(b)]).join("");
  });
  const choices = found.cubes.map(({ facelets, label }) => ({ stickers: inPalette(facelets), label }));
  let { doubtful, sentence } = found;
  const seen = nearest.map((order) => order[0]).join("");
  const strange = [...seen].filter((place, at) => place !== found.cubes[0].facelets[at]).length;
  const turned = strange < STRANGE ? null : await inOtherHolds(seen, api);
  if (turned) {
    choices.unshift({ stickers: inPalette(turned), label: "faces held in another way" });
    doubtful = [];
    sentence =
      "All colours fit one cube if some faces were held in another way than the pictures show. Compare it with the cube.";
  }
  return { choices, doubtful, sentence, orders: nearest.map(inPalette) };
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
      label: at ? "the next cube" : `probability ${percent(scan.probability)}`,
    }));
    const sentence = doubtful.length ? "Compare the marked stickers with the cube." : "Compare the net with the cube.";
    return { cubes, doubtful, references: /** @type {number[][]} */ (scan.references), sentence };
  } catch (/** @type {any} */ problem) {
    if (problem.code !== "ambiguous_scan") throw problem;
    /** @type {{facelets: string, label: string}[]} */
    const cubes = problem.candidates.map((/** @type {{facelets: string, probability: number}} */ cube) => ({
      facelets: cube.facelets,
      label: `probability ${percent(cube.probability)}`,
    }));
    const references = referencesOf(samples, cubes[0].facelets);
    return { cubes, doubtful: /** @type {number[]} */ (problem.doubtful), references, sentence: problem.detail };
  }
}

/** @param {number} probability */
const percent = (probability) => `${Math.floor(100 * probability)} %`;

/** The median sample of each colour of a cube. @param {Rgb[]} samples @param {string} facelets */
function referencesOf(samples, facelets) {
  return [...FACES].map((face) => {
    const own = samples.filter((_, at) => facelets[at] === face);
    return [0, 1, 2].map((channel) => own.map((rgb) => rgb[channel]).sort((a, b) => a - b)[own.length >> 1]);
  });
}

/**
 * The only legal cube from these faces in any rotation, or else in any rotation and order, or null.
 *
 * @param {string} facelets @param {{post: (path: string, body: unknown) => Promise<any>}} api
 * @returns {Promise<string | null>}
 */
async function inOtherHolds(facelets, api) {
  const to = ["facelets"];
  for (const options of [{}, { face_order: "unknown" }]) {
    const body = { facelets, face_rotations: "unknown", ...options, to };
    const answer = await api.post("/convert", body).catch((/** @type {any} */ problem) => {
      if (problem.status === 422) return null;
      throw problem;
    });
    if (answer) return answer.forms.facelets;
  }
  return null;
}
