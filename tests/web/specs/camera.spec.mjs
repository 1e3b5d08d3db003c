// A cube is scanned by a camera that shows a rendered video, and by six photos; doubtful stickers are shown in a net to correct.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import AxeBuilder from "@axe-core/playwright";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { cameraArguments, scanByCamera, scanByPhotos } from "../camera/scan.mjs";
import { writeVideo } from "../camera/video.mjs";
import { RUF } from "../cubes.mjs";
import { solution, stickersOf } from "../steps.mjs";

const folder = mkdtempSync(join(tmpdir(), "superflip-"));
/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser[]} */ const browsers = [];
before(async () => {
  service = await Service.start();
});
after(async () => {
  for (const browser of browsers) await browser.close();
  await service?.stop();
  rmSync(folder, { recursive: true });
});

/** @param {string[]} [args] */
async function open(args) {
  const browser = await launch(args);
  browsers.push(browser);
  return browser;
}

/** @param {import("playwright-core").Page} page */
async function accept(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(
    violations.map(({ id, help }) => `${id}: ${help}`),
    [],
  );
  await page.getByRole("button", { name: "Use this cube" }).click();
  assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
  assert.equal(await stickersOf(page), RUF);
  // A click on the cube must not paint it while the solution is followed.
  await page.locator('#ways button[aria-pressed="false"]', { hasText: "Paint" }).waitFor();
}

test("a cube before the camera is read and solved", async () => {
  const video = join(folder, "cube.y4m");
  writeVideo(RUF, video);
  const browser = await open(cameraArguments(video));
  await visit(browser, service, { context: { permissions: ["camera"] } }, async (page) => {
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await page.locator(".camera video").waitFor();
    await shoot(page, "scanning");
    await scanByCamera(page, RUF);
    await shoot(page, "scanned");
    await accept(page);
  });
});

test("without a camera six photos are read, and the page says why", async () => {
  const browser = await open();
  await visit(browser, service, {}, async (page) => {
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    await page.getByText("Take one photo of each face instead").waitFor();
    await shoot(page, "photos");
    await scanByPhotos(page, RUF);
    await accept(page);
  });
});
