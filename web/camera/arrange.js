// @ts-check
// Repairs a scan in which faces were held in another way than the pictures show.
//
// Such a scan often fits no cube well. The nearest centre of each sample gives a guess at the stickers. If the service finds exactly one
// legal cube for this guess with the faces in some rotation, the samples are put in its order.

import { FACES } from "../cube/cube.js";
import { distance } from "./colour.js";
import { centreOf } from "./holding.js";

/** @typedef {import("./colour.js").Rgb} Rgb */

/** Cells of a face turned clockwise. */
const TURNED = [6, 3, 0, 7, 4, 1, 8, 5, 2];
const SAME = [...Array(54).keys()];

/** Where a sticker is taken from: as scanned, or with the cube turned the wrong way between the sides. */
const MISTAKES = [SAME, SAME.map((at) => at + ({ 1: 27, 4: -27 }[Math.floor(at / 9)] ?? 0))];

/**
 * For each sample the letters of the faces, the nearest centre first.
 *
 * @param {Rgb[]} samples
 * @returns {string[]}
 */
export function nearestCentres(samples) {
  return samples.map((sample) => {
    const costs = new Map([...FACES].map((face) => [face, distance(sample, samples[centreOf(face)])]));
    return [...FACES].sort((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0)).join("");
  });
}

/**
 * The samples in the order that fits a legal cube, or null if none or several do.
 *
 * @param {Rgb[]} samples
 * @param {{post: (path: string, body: unknown) => Promise<any>}} api
 * @returns {Promise<Rgb[] | null>}
 */
export async function arrange(samples, api) {
  for (const sources of MISTAKES) {
    const moved = sources.map((at) => samples[at]);
    const seen = nearestCentres(moved).map((letters) => letters[0]);
    const body = { facelets: seen.join(""), face_rotations: "unknown", to: ["facelets"] };
    const answer = await api.post("/convert", body).catch((/** @type {any} */ problem) => {
      if (problem.status === 422) return null;
      throw problem;
    });
    if (answer) return inRotations(moved, seen, answer.forms.facelets);
  }
  return null;
}

/**
 * The samples after each face was turned clockwise by so many quarter turns.
 *
 * @param {Rgb[]} samples
 * @param {number[]} turns for each of the six faces
 */
export function turnFaces(samples, turns) {
  return [...FACES].flatMap((_, face) => {
    let cells = SAME.slice(9 * face, 9 * face + 9);
    for (let turn = 0; turn < turns[face]; turn++) cells = TURNED.map((cell) => cells[cell]);
    return cells.map((at) => samples[at]);
  });
}

/** Turns the samples of each face until its letters are those of the cube. @param {Rgb[]} samples @param {string[]} seen @param {string} cube */
function inRotations(samples, seen, cube) {
  return [...FACES].flatMap((_, face) => {
    let cells = SAME.slice(9 * face, 9 * face + 9);
    const isRight = () => cells.every((from, cell) => seen[from] === cube[9 * face + cell]);
    for (let turns = 0; turns < 3 && !isRight(); turns++) cells = TURNED.map((cell) => cells[cell]);
    return cells.map((at) => samples[at]);
  });
}
