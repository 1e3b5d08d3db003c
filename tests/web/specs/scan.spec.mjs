// Scans that go wrong: a turned face, colours that do not decide, a correction by hand; and that the camera and the grid obey the user.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { applyMoves, SOLVED } from "../../../web/cube/cube.js";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { draw, png, shots } from "../camera/pictures.mjs";
import { cameraArguments, liveSamples, namesInNet, scanByPhotos } from "../camera/scan.mjs";
import { writeVideo } from "../camera/video.mjs";
import { RUF } from "../cubes.mjs";
import { eventually } from "../steps.mjs";

const NAMES = { U: "white", R: "red", F: "green", D: "yellow", L: "orange", B: "blue" };
const MIXED = applyMoves(SOLVED, "R2 U' F2 D L B2 R' F U2 L' D2 B R2 U L2 F'".split(" "));

const folder = mkdtempSync(join(tmpdir(), "superflip-"));
/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  const video = join(folder, "cube.y4m");
  writeVideo(RUF, video, { seconds: 1 });
  [service, browser] = await Promise.all([Service.start(), launch(cameraArguments(video))]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(folder, { recursive: true });
});

/** Opens the scan. @param {(page: import("playwright-core").Page) => Promise<void>} steps */
const scan = (steps) =>
  visit(browser, service, { context: { permissions: ["camera"] }, expected: /422/ }, async (page) => {
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await page.locator(".camera video").waitFor();
    await steps(page);
  });

/** @param {import("playwright-core").Page} page */
const usePhotos = (page) => page.getByRole("button", { name: "Use photos" }).click();

/** @param {string} cube */
const namesOf = (cube) => [...cube].map((letter) => NAMES[letter]);

test("a face that was scanned in another rotation is turned", () =>
  scan(async (page) => {
    await usePhotos(page);
    const clockwise = (colours) => [6, 3, 0, 7, 4, 1, 8, 5, 2].map((cell) => colours[cell]);
    await scanByPhotos(page, RUF, ({ face, colours }) => (face === "D" ? clockwise(colours) : colours));
    await page.getByText("The bottom face was scanned rotated. The page has turned it back.").waitFor();
    assert.deepEqual(await namesInNet(page), namesOf(RUF));
  }));

test("colours that fit several cubes leave the choice, with the differences marked", () =>
  scan(async (page) => {
    await usePhotos(page);
    // Red and orange look alike.
    const alike = ({ stickers, colours }) =>
      colours.map((rgb, at) => ("RL".includes(stickers[at]) ? [190, 60, 34] : rgb));
    await scanByPhotos(page, MIXED, alike);
    await page.getByText("The colours fit several cubes").waitFor();
    const uncertain = await page.locator('.camera .net-view [aria-label$="uncertain"]').count();
    assert(uncertain >= 4, `${uncertain} uncertain stickers`);
    const before = await namesInNet(page);
    const second = page.getByRole("button", { name: /^Cube 2/ });
    await second.hover();
    const changed = await page.locator(".camera .net-view .changed").count();
    const shown = await namesInNet(page);
    assert.equal(shown.filter((name, at) => name !== before[at]).length, changed);
    assert(changed > 0);
    await shoot(page, "ambiguous");
    await second.click();
    assert.deepEqual(await namesInNet(page), shown);
    // An accepted cube is not doubted again.
    await page.getByRole("button", { name: "Use this cube" }).click();
    await page.locator("#follow .moves button").first().waitFor();
    assert.equal(await page.locator("#paint").isVisible(), false);
    assert.equal(await page.locator("#net [aria-label$='check this piece']").count(), 0);
  }));

test("a click changes a sticker, the service explains it, and the repair is one click", () =>
  scan(async (page) => {
    await usePhotos(page);
    await scanByPhotos(page, MIXED);
    assert.deepEqual(await namesInNet(page), namesOf(MIXED));
    await page.locator('.camera .net-view [data-index="2"]').click();
    await page.getByText(/^(10|8) \w+ and (10|8) \w+ stickers\. There must be 9 of each colour\.$/).waitFor();
    assert.notEqual((await namesInNet(page))[2], NAMES[MIXED[2]]);
    await page.getByRole("button", { name: `Repair: U3 ${NAMES[MIXED[2]]}` }).click();
    await page.getByText("Compare the net with the cube.").waitFor();
    await page.getByText(`U3 is ${NAMES[MIXED[2]]}. Scanned colour:`).waitFor();
    await page.getByText("hold the cube with white on top (U) and green in front (F)").waitFor();
    assert.deepEqual(await namesInNet(page), namesOf(MIXED));
    // A wrong centre means that two colours were exchanged.
    await page.locator('.camera .net-view [tabindex="0"]').focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft", "Enter"])
      await page.keyboard.press(key);
    await page.getByText("This cube is possible.").waitFor();
    const after = (await namesInNet(page))[22];
    const exchanged = namesOf(MIXED).map((name) => (name === "green" ? after : name === after ? "green" : name));
    assert.notEqual(after, "green");
    assert.deepEqual(await namesInNet(page), exchanged);
  }));

test("the grid on a photo is placed by the keyboard", () =>
  scan(async (page) => {
    await usePhotos(page);
    const [{ face, colours }] = shots(MIXED);
    const pixels = draw(colours, { width: 400, height: 300, size: 170, x: -60, y: 30 });
    const buffer = png(pixels, 400, 300);
    await page
      .locator('.camera input[type="file"]')
      .setInputFiles({ name: `${face}.png`, mimeType: "image/png", buffer });
    await page.locator(".camera .photo:focus").waitFor();
    const isNear = async () =>
      (await liveSamples(page)).every((rgb, cell) =>
        rgb.every((value, at) => Math.abs(value - colours[cell][at]) < 20),
      );
    assert(!(await isNear()));
    for (const [key, times] of [
      ["-", 12],
      ["Shift+ArrowLeft", 4],
      ["ArrowDown", 10],
    ])
      for (let press = 0; press < times; press++) await page.keyboard.press(key);
    assert(await isNear());
  }));

test("the camera stops when the page is hidden and when the scan is closed", () =>
  scan(async (page) => {
    /** The tracks of the stream of the page: those that the video shows. */
    const live = () =>
      page.evaluate(() =>
        document
          .querySelector("video")
          ?.srcObject?.getTracks()
          .map((track) => track.readyState),
      );
    const hide = (state) =>
      page.evaluate((value) => {
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await eventually(async () => (await live())?.join() === "live");
    await page.evaluate(() => (window.tracks = document.querySelector("video").srcObject.getTracks()));
    await hide("hidden");
    assert.deepEqual(await page.evaluate(() => window.tracks.map((track) => track.readyState)), ["ended"]);
    await hide("visible");
    await eventually(async () => (await live())?.join() === "live");
    await page.evaluate(() => (window.tracks = document.querySelector("video").srcObject.getTracks()));
    await page.keyboard.press("Escape");
    await page.locator(".camera").waitFor({ state: "detached" });
    assert.deepEqual(await page.evaluate(() => window.tracks.map((track) => track.readyState)), ["ended"]);
  }));
