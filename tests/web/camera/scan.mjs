// Scans with the page in a browser: by the camera, and by photos. The scan of the page must be open.

import { draw, png, shots } from "./pictures.mjs";

/** Greatest difference of a channel between a live sample and the colour of the picture. Video and noise change colours a little. */
const TOLERANCE = 40;

/** Arguments of Chromium for a camera that shows a video of `video.mjs`. @param {string} video path of the file */
export const cameraArguments = (video) => [
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
  `--use-file-for-fake-video-capture=${video}`,
];

/**
 * The nine live samples of the page, row by row.
 *
 * @param {import("playwright-core").Page} page
 * @returns {Promise<number[][]>}
 */
export const liveSamples = (page) =>
  page
    .locator(".camera .live i")
    .evaluateAll((tiles) =>
      tiles.map((tile) => getComputedStyle(tile).backgroundColor.match(/\d+/g).slice(0, 3).map(Number)),
    );

/** @param {number[][]} samples @param {number[][]} colours */
const looksLike = (samples, colours) =>
  samples.length === 9 &&
  samples.every((sample, cell) =>
    sample.every((value, channel) => Math.abs(value - colours[cell][channel]) < TOLERANCE),
  );

/** Waits until the page asks for a face. @param {import("playwright-core").Page} page @param {string} face */
const asks = (page, face) => page.locator(`.camera[data-face="${face}"]`).waitFor();

/**
 * Captures the six faces of a video by the Space key, each when the live samples show it. Ends at the net to correct.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} cube the cube of the video
 */
export async function scanByCamera(page, cube) {
  for (const { face, colours } of shots(cube)) {
    await asks(page, face);
    const deadline = Date.now() + 40_000;
    while (!looksLike(await liveSamples(page), colours)) {
      if (Date.now() > deadline) throw new Error(`the camera does not show face ${face}`);
      await page.waitForTimeout(100);
    }
    await page.locator(".camera h3").click();
    await page.keyboard.press(" ");
  }
  await page.locator('.camera[data-mode="review"]').waitFor();
}

/**
 * Gives the page six photos. Ends at the net to correct.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} cube
 * @param {(shot: {face: string, stickers: string, colours: number[][]}) => number[][]} [coloursOf] what the photo shows, if it is not
 * what the page asks for
 */
export async function scanByPhotos(page, cube, coloursOf = ({ colours }) => colours) {
  for (const [step, shot] of shots(cube).entries()) {
    const { face } = shot;
    await asks(page, face);
    const [width, height] = [400, 300];
    const pixels = draw(coloursOf(shot), { width, height, size: 0.8 * height, seed: step });
    await page
      .locator('.camera input[type="file"]')
      .setInputFiles({ name: `${face}.png`, mimeType: "image/png", buffer: png(pixels, width, height) });
    await page.locator(".camera .photo:focus").waitFor();
    await page.keyboard.press(" ");
    // The page asks whether a centre of a known colour is meant.
    if (await page.getByText("once more").isVisible()) await page.keyboard.press(" ");
  }
  await page.locator('.camera[data-mode="review"]').waitFor();
}

/** The colours of the net to correct by name, in the order of the stickers. @param {import("playwright-core").Page} page @returns {Promise<string[]>} */
export const namesInNet = (page) =>
  page
    .locator(".camera .net-view [data-index]")
    .evaluateAll((nodes) => nodes.map((node) => /^\w+ ([^,]*)/.exec(node.getAttribute("aria-label"))[1]));
