// A cube is painted: the page says what to do next, reports no error before the cube is whole, and asks the service once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { RUF } from "../cubes.mjs";
import { eventually, paste, solution, stickersOf } from "../steps.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  service = await Service.start();
  browser = await launch();
});
after(() => Promise.all([service?.stop(), browser?.close()]));

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page */
const startPainting = (page) => page.locator("#ways button", { hasText: "Paint" }).click();

/** @param {Page} page @param {string} colour */
const choose = (page, colour) =>
  page.locator("#paint label", { has: page.locator(`input[value="${colour}"]`) }).click();

/** @param {Page} page @param {number} index */
const click = (page, index) => page.locator(`#net [data-index="${index}"]`).click();

/** Paints faces colour by colour. @param {Page} page @param {string} faces @param {string} cube */
async function copy(page, faces, cube) {
  for (const face of faces) {
    const start = 9 * "URFDLB".indexOf(face);
    for (const colour of "URFDLB") {
      const places = [...Array(9).keys()].filter((cell) => cell !== 4 && cube[start + cell] === colour);
      if (places.length) await choose(page, colour);
      for (const cell of places) await click(page, start + cell);
    }
  }
}

/** @param {Page} page */
const turned = async (page) => (await stickersOf(page)).replaceAll("?", "");

test("painting starts blank, leads from face to face without errors or requests, and ends with the solution", async () => {
  await visit(browser, service, {}, async (page) => {
    let requests = 0;
    page.on("request", (request) => (requests += Number(request.url().includes("/convert"))));
    await startPainting(page);
    assert.equal([...(await stickersOf(page))].filter((colour) => colour === "?").length, 48);
    const guide = page.locator("#paint .guide");
    await guide
      .getByText("Face 1 of 6: hold your cube with the green centre towards you and white above it.")
      .waitFor();
    await shoot(page, "painting");
    await copy(page, "F", RUF);
    await guide.getByText("Face 2 of 6: hold your cube with the red centre towards you and white above it.").waitFor();
    await copy(page, "RB", RUF);
    await page.waitForTimeout(300);
    assert.equal(requests, 0);
    assert.equal(await page.locator("#problem").isVisible(), false);
    // Neither keys nor drags turn a layer.
    const before = await turned(page);
    for (const key of ["M", "e", "x"]) await page.keyboard.press(key);
    const box = await page.locator('#cube [data-index="23"]').boundingBox();
    assert(box);
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 160, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(400);
    assert.equal(await turned(page), before);
    // The fourth face and a part of the fifth decide the rest.
    await copy(page, "L", RUF);
    await choose(page, "U");
    for (let index = 0; (await page.locator("#paint").isVisible()) && index < 9; index += 1) {
      if (index === 4) continue;
      await choose(page, RUF[index]);
      await click(page, index);
      await page.waitForTimeout(250);
    }
    const sentence = await page.getByText(/The other \d+ stickers follow from these\./).innerText();
    assert.equal(requests, 1);
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await stickersOf(page), RUF);
    await page.locator('#ways button[aria-pressed="false"]', { hasText: "Paint" }).waitFor();
    // Painting again forgets those that followed: they are wrong if a painted one is.
    await startPainting(page);
    const unpainted = (await stickersOf(page)).split("?").length - 1;
    assert.equal(unpainted, Number(/\d+/.exec(sentence)?.[0]));
  });
});

test("a wrong cube is explained when it is whole; before that only a colour on more than nine stickers", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await startPainting(page);
    const guide = page.locator("#paint .guide");
    // White next to yellow on an edge: no cube has it, but more stickers may be painted.
    await choose(page, "D");
    await click(page, 19);
    await choose(page, "U");
    for (const index of [0, 1, 2, 3, 5, 6, 7, 8]) await click(page, index);
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#problem").isVisible(), false);
    await click(page, 9);
    await guide.getByText("10 stickers are white. A cube has 9 of each colour.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await guide.getByText("Face 1 of 6").waitFor();
    // The rest by keys: a colour paints the sticker under the cursor and goes to the next one.
    await page.locator('#net [data-index="0"]').focus();
    for (const colour of `D${RUF.slice(1)}`) await page.keyboard.press(String("URFDLB".indexOf(colour) + 1));
    await page.locator("#problem").getByText("8 white and 10 yellow stickers.").waitFor();
    assert.equal(await page.locator("#paint").isVisible(), true);
    await choose(page, "U");
    await click(page, 0);
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.locator("#cube .body.next").first().waitFor();
  });
});

test("stickers are counted, and undone one by one", async () => {
  await visit(browser, service, {}, async (page) => {
    await startPainting(page);
    const counter = page.locator("#paint label", { has: page.locator('input[value="U"]') });
    assert.match(await counter.innerText(), /\b1\b/);
    await counter.click();
    await click(page, 0);
    assert.match(await counter.innerText(), /\b2\b/);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.match(await counter.innerText(), /\b1\b/);
    await page.getByRole("button", { name: "Redo" }).click();
    assert.match(await counter.innerText(), /\b2\b/);
  });
});

test("a paste ends painting, and undo leads back to it", async () => {
  await visit(browser, service, {}, async (page) => {
    await startPainting(page);
    await choose(page, "R");
    await click(page, 0);
    await paste(page, "R U F");
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+z");
    assert.equal(await page.locator("#paint").isVisible(), true);
    assert.equal((await stickersOf(page)).slice(0, 5), "R???U");
  });
});

test("a request over the rate limit is sent again after Retry-After, without a word", async () => {
  await visit(browser, service, { expected: /429/ }, async (page) => {
    let refused = 0;
    await page.route("**/convert?*", async (route) => {
      if (refused++) return route.continue();
      await route.fulfill({
        status: 429,
        headers: { "retry-after": "1", "content-type": "application/problem+json" },
        body: JSON.stringify({ status: 429, code: "rate_limited", detail: "Rate limit exceeded.", retry_after_s: 1 }),
      });
    });
    await page.fill("#box", "R U F");
    await eventually(async () => refused === 1);
    assert.equal(await page.locator("#problem").isVisible(), false);
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert(refused > 1);
  });
});
