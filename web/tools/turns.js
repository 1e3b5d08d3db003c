// @ts-check
// The length of a solution as the rules of fewest moves count it.

import { layerOf } from "../cube/cube.js";

/** The number of turns of faces: a middle layer counts two, a rotation of the whole cube none. @param {string[]} moves */
export const turnsOf = (moves) =>
  moves.reduce((sum, move) => {
    const { layers } = layerOf(move);
    return sum + (layers.length === 3 ? 0 : layers.length === 1 && layers[0] === 0 ? 2 : 1);
  }, 0);
