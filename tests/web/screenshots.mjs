// Takes the pictures of docs/page.md, with a service of its own. Usage: node tests/web/screenshots.mjs [FOLDER]
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyMoves, SOLVED } from "../../web/cube/cube.js";
import { launch, Service, visit } from "./browser.mjs";
import { cameraArguments, scanByCamera } from "./camera/scan.mjs";
import { writeVideo } from "./camera/video.mjs";
import { RUF } from "./cubes.mjs";
import { paste, solution } from "./steps.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../../docs/pictures", import.meta.url));
const RANDOM = "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** WebP has a third of the size of PNG. @param {import("playwright-core").Page} page @param {string} name */
async function picture(page, name) {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(`${folder}/${name}.webp`, Buffer.from(data, "base64"));
}

/** @param {import("playwright-core").Page} page */
async function follow(page) {
  await paste(page, RANDOM);
  await solution(page);
  for (let move = 0; move < 5; move += 1) await page.getByRole("button", { name: "Next move", exact: true }).click();
}

mkdirSync(folder, { recursive: true });
const videos = mkdtempSync(join(tmpdir(), "superflip-"));
const video = join(videos, "cube.y4m");
const cube = applyMoves(SOLVED, RANDOM.split(" "));
writeVideo(cube, video);
const service = await Service.start();
const browser = await launch(cameraArguments(video));
try {
  await visit(browser, service, {}, async (page) => {
    await follow(page);
    await picture(page, "page-following");
  });
  await visit(browser, service, { context: { colorScheme: "dark" } }, async (page) => {
    await follow(page);
    await picture(page, "page-dark");
  });
  await visit(browser, service, { context: PHONE }, async (page) => {
    await follow(page);
    await page.evaluate(() => scrollTo(0, 0));
    await picture(page, "page-phone");
  });
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.fill("#box", `D${RUF.slice(1)}`);
    await page.getByRole("button", { name: "Correct U1" }).waitFor();
    await picture(page, "page-impossible");
  });
  await visit(browser, service, { context: { permissions: ["camera"] }, expected: /422/ }, async (page) => {
    await page.getByRole("button", { name: "Scan with the camera" }).click();
    const scan = scanByCamera(page, cube);
    await page.locator('.camera[data-face="R"]').waitFor({ timeout: 60_000 });
    await picture(page, "page-scan");
    await scan;
    await page.locator('.camera .net-view [data-index="7"]').click();
    await page.getByRole("button", { name: "Repair: U8" }).waitFor();
    await picture(page, "page-scan-check");
  });
  await visit(browser, service, {}, async (page) => {
    await paste(page, "F U R");
    await solution(page);
    await page.getByRole("button", { name: "Laboratory" }).click();
    await page.locator(".dial button").first().waitFor();
    await picture(page, "page-laboratory");
  });
  await visit(browser, service, { path: "/docs#solve_query" }, async (page) => {
    await page.locator("#solve_query form").waitFor();
    await picture(page, "page-docs");
  });
} finally {
  await browser.close();
  await service.stop();
  rmSync(videos, { recursive: true });
}
