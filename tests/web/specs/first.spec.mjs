// The first screen: one question, two large answers and a smaller third, in view on every screen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { firstVisit } from "../load.mjs";
import { eventually, solution, stickersOf } from "../steps.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  service = await Service.start();
  browser = await launch();
});
after(() => Promise.all([service?.stop(), browser?.close()]));

const SOLVED = /^(?:(\w)\1{8}){6}$/;

for (const [width, height] of [
  [1280, 800],
  [844, 390],
  [390, 844],
]) {
  test(`at ${width}x${height} the ways to begin are in view, beside a scrambled cube`, async () => {
    await visit(browser, service, { context: { viewport: { width, height }, hasTouch: width < 900 } }, async (page) => {
      await page.getByRole("heading", { name: "Solve my cube" }).waitFor();
      await page.locator("#cube [data-index]").first().waitFor();
      const boxes = [];
      for (const name of ["Scan with the camera", "Paint it"]) {
        const box = await page.getByRole("button", { name }).boundingBox();
        assert(box && box.y + box.height <= height, `${name}: ${JSON.stringify(box)}`);
        assert(box.height >= 88 && box.width >= 150, `${name} is not large: ${JSON.stringify(box)}`);
        boxes.push(box);
      }
      const random = await page.getByRole("button", { name: "Random cube" }).boundingBox();
      assert(random && random.height < boxes[0].height / 2);
      assert.doesNotMatch(await stickersOf(page), SOLVED);
      assert.equal(new URL(page.url()).hash, "");
      await shoot(page, `first-${width}`);
    });
  });
}

test("a cube of the first screen that is turned is solved, and undo leads back", async () => {
  await visit(browser, service, {}, async (page) => {
    const heading = page.getByRole("heading", { name: "Solve my cube" });
    await page.keyboard.press("r");
    assert((await solution(page)).length > 10);
    assert.equal(await heading.evaluate((node) => getComputedStyle(node).position), "absolute");
    await page.keyboard.press("Control+z");
    assert.equal(await heading.evaluate((node) => getComputedStyle(node).position), "static");
    await eventually(async () => new URL(page.url()).hash === "");
  });
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
]) {
  test(`at ${width}x${height} the first screen is there before the modules, and nothing moves when they arrive`, async () => {
    await visit(browser, service, { context: { viewport: { width, height } } }, async (page) => {
      /** @type {() => void} */ let release = () => {};
      const held = new Promise((resolve) => (release = () => resolve(undefined)));
      await page.route("**/main.js", async (route) => (await held, route.continue()));
      await page.addInitScript(sumShifts);
      await page.goto(service.url, { waitUntil: "commit" });
      const paint = page.getByRole("button", { name: "Paint it" });
      await paint.waitFor();
      assert.equal(await page.locator("#cube .still polygon:visible").count(), 30);
      await shoot(page, `early-${width}`);
      release();
      await page.locator("#cube [data-index]").first().waitFor();
      await page.locator("#box").waitFor();
      await page.waitForTimeout(300);
      await noShift(page);
    });
  });

  test(`at ${width}x${height} nothing moves when a page with a cube or another mode is opened`, async () => {
    await visit(browser, service, { context: { viewport: { width, height } } }, async (page) => {
      await page.addInitScript(sumShifts);
      for (const [hash, part] of [
        ["#mode=scramble", ".scrambles button"],
        ["#cube=R%20U%20F", "#follow button:visible"],
      ]) {
        // Another query, because a change of the fragment alone loads nothing.
        await page.goto(`${service.url}/?${part.length}${hash}`);
        await page.locator(part).first().waitFor();
        await page.waitForTimeout(300);
        await noShift(page);
      }
    });
  });
}

/** Runs in the page: adds up how far the layout shifts. */
function sumShifts() {
  new PerformanceObserver((list) => {
    const { dataset } = document.documentElement;
    for (const { value, startTime, sources } of /** @type {any[]} */ (list.getEntries())) {
      dataset.shift = String(Number(dataset.shift ?? 0) + value);
      const moved = sources.map((/** @type {any} */ { node, previousRect, currentRect }) => {
        return `${node?.nodeName} ${node?.id} from ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`;
      });
      dataset.moved = `${dataset.moved ?? ""}\nby ${value} after ${startTime} ms: ${moved.join(", ")}`;
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** @param {import("playwright-core").Page} page */
async function noShift(page) {
  const { shift = "0", moved = "" } = await page.evaluate(() => ({ ...document.documentElement.dataset }));
  assert(Number(shift) < 0.05, `the layout shifts by ${shift}: ${moved}`);
}

test("a click before the modules is not lost", async () => {
  await visit(browser, service, {}, async (page) => {
    /** @type {() => void} */ let release = () => {};
    const held = new Promise((resolve) => (release = () => resolve(undefined)));
    await page.route("**/main.js", async (route) => (await held, route.continue()));
    await page.goto(service.url, { waitUntil: "commit" });
    await page.getByRole("button", { name: "Paint it" }).click();
    release();
    await page.locator("#paint .guide", { hasText: "Face 1 of 6" }).waitFor();
  });
});

test("a first visit takes at most 75 kB, with all headers, and 10 requests", async (context) => {
  const visited = await firstVisit(browser, service.url);
  // A program with BUILD_WASM has a solver, which the page loads when it is idle.
  const files = visited.files.filter(({ url }) => !url.includes("/local/"));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  context.diagnostic(`${bytes} bytes in ${files.length} requests`);
  assert(
    files.some(({ url, bytes }) => url.endsWith("/main.js") && bytes > 10_000),
    JSON.stringify(files),
  );
  assert(bytes <= 75_000 && files.length <= 10, `${bytes} bytes in ${files.length} requests: ${JSON.stringify(files)}`);
});
