// Pictures of the faces of a cube as a camera sees them during a scan, and PNG files of them.

import { deflateSync } from "node:zlib";
import { applyMoves } from "../../../web/cube/cube.js";

/** Colours of real stickers in good light, for the letters of a standard cube. They differ from the palette of the page. */
export const PAINT = {
  U: [236, 238, 232],
  R: [176, 24, 34],
  F: [18, 140, 72],
  D: [232, 208, 30],
  L: [236, 106, 26],
  B: [16, 70, 158],
};

/** The turns of the whole cube from each face to the next, by the words of the page. The first brings the top to the camera. */
const TURNS = { U: "x'", F: "x", R: "y", B: "y", L: "y", D: "x" };

/** Brightness of each face. */
const LIGHT = { U: 1, F: 0.85, R: 0.7, B: 0.8, L: 0.95, D: 0.65 };

/** @param {number} seed @returns {() => number} uniform numbers in [0, 1) */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * What the camera sees in the six steps of a scan: the nine stickers of the face in front of it, row by row.
 *
 * The cube is turned as a whole with the moves x and y, and the front face is read. So this does not depend on the tables of the page.
 *
 * @param {string} cube 54 letters URFDLB
 * @returns {{face: string, stickers: string, colours: number[][]}[]} `colours` are those without noise
 */
export function shots(cube) {
  let held = cube;
  return Object.entries(TURNS).map(([face, turn]) => {
    held = applyMoves(held, [turn]);
    const stickers = held.slice(18, 27);
    const colours = [...stickers].map((letter) => PAINT[letter].map((value) => value * LIGHT[face]));
    return { face, stickers, colours };
  });
}

/**
 * Draws a face: stickers on black plastic, before a grey background, with noise and light that falls off to a side.
 *
 * @param {number[][]} colours nine, row by row
 * @param {{width: number, height: number, size: number, x?: number, y?: number, noise?: number, seed?: number}} options `size` is the
 * width of the face; `x` and `y` move it from the middle
 * @returns {Uint8ClampedArray} red, green and blue of each pixel
 */
export function draw(colours, { width, height, size, x = 0, y = 0, noise = 6, seed = 1 }) {
  const next = random(seed);
  const pixels = new Uint8ClampedArray(3 * width * height);
  const [left, top] = [(width - size) / 2 + x, (height - size) / 2 + y];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [u, v] = [(3 * (column - left)) / size, (3 * (row - top)) / size];
      const isCube = u >= 0 && u < 3 && v >= 0 && v < 3;
      const isGap = [u, v].some((at) => Math.abs((at % 1) - 0.5) > 0.42);
      const base = !isCube ? [120, 116, 110] : isGap ? [20, 20, 22] : colours[3 * Math.floor(v) + Math.floor(u)];
      const light = 1.04 - 0.08 * (column / width);
      for (let channel = 0; channel < 3; channel++) {
        // The sum of four uniform numbers is close to a normal one; its standard deviation is 0.577.
        const normal = (next() + next() + next() + next() - 2) / 0.577;
        pixels[3 * (row * width + column) + channel] = base[channel] * light + noise * normal;
      }
    }
  return pixels;
}

const CRC = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const crc = ~body.reduce((sum, byte) => (sum >>> 8) ^ CRC[(sum ^ byte) & 255], 0xffffffff) >>> 0;
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc);
  return Buffer.concat([length, body, check]);
}

/** Encodes pixels of `draw` as a PNG file. @param {Uint8ClampedArray} pixels @param {number} width @param {number} height */
export function png(pixels, width, height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(3 * row * width, 3 * (row + 1) * width), row * (1 + 3 * width) + 1);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
