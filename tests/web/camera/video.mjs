// A video of a scan for the fake camera of Chromium: `node video.mjs CUBE FILE.y4m`.
//
// The faces follow one another and the video repeats. Chromium: --use-fake-device-for-media-stream --use-fake-ui-for-media-stream
// --use-file-for-fake-video-capture=FILE.y4m

import { closeSync, openSync, writeSync } from "node:fs";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { draw, shots } from "./pictures.mjs";

const [WIDTH, HEIGHT] = [320, 240];
const FRAMES_PER_SECOND = 5;
/** Width of the face, in pixels: that of the grid of the page. */
const SIZE = 178;

/** Converts to planes of Y, Cb and Cr (BT.601, limited range), the two colour planes at half the resolution. @param {Uint8ClampedArray} rgb */
function planes(rgb) {
  const [luma, ...chroma] = [1, 4, 4].map((part) => new Uint8ClampedArray((WIDTH * HEIGHT) / part));
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [r, g, b] = rgb.subarray(3 * at, 3 * at + 3);
    luma[at] = 16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255;
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)];
    if (x % 2 || y % 2) continue;
    const half = (y / 2) * (WIDTH / 2) + x / 2;
    chroma[0][half] = 128 + (-37.797 * r - 74.203 * g + 112 * b) / 255;
    chroma[1][half] = 128 + (112 * r - 93.786 * g - 18.214 * b) / 255;
  }
  return [luma, ...chroma];
}

/**
 * Writes a video that shows the six faces in the order and the holds of the page.
 *
 * @param {string} cube 54 letters URFDLB
 * @param {string} path
 * @param {{seconds?: number, noise?: number}} [options] `seconds` for each face
 */
export function writeVideo(cube, path, { seconds = 3, noise = 6 } = {}) {
  const file = openSync(path, "w");
  writeSync(file, `YUV4MPEG2 W${WIDTH} H${HEIGHT} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`);
  for (const [step, { colours }] of shots(cube).entries())
    for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
      // The hand is not quite still.
      const [x, y] = [Math.round(3 * Math.sin(frame)), Math.round(3 * Math.cos(2 * frame + step))];
      const seed = 1000 * step + frame;
      const pixels = draw(colours, { width: WIDTH, height: HEIGHT, size: SIZE, x, y, noise, seed });
      writeSync(file, "FRAME\n");
      for (const plane of planes(pixels)) writeSync(file, plane);
    }
  closeSync(file);
}

if (argv[1] === fileURLToPath(import.meta.url)) writeVideo(argv[2], argv[3]);
