// What the cube shows: previews of other cubes, and the view from which it is seen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, Service, visit } from "../browser.mjs";
import { RUF } from "../cubes.mjs";
import { eventually, paste, solution, stickersOf } from "../steps.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(() => Promise.all([service?.stop(), browser?.close()]));

const WRONG = `D${RUF.slice(1)}`;

/** The middle of an element. @param {import("playwright-core").Locator} element @returns {Promise<[number, number]>} */
async function middle(element) {
  const box = await element.boundingBox();
  assert(box);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

test("a new cube ends the preview of a repair, and a resting pointer starts none", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const repair = page.getByRole("button", { name: "Correct U1" });
    await page.fill("#box", WRONG);
    await repair.waitFor();
    await page.mouse.move(...(await middle(repair)), { steps: 3 });
    await eventually(async () => (await stickersOf(page)) === RUF);
    // The pointer rests on the button that goes.
    await paste(page, "R");
    await solution(page);
    assert.match(await stickersOf(page), /^UUFUUF/);
    await page.fill("#box", WRONG);
    await repair.waitFor();
    await page.waitForTimeout(300);
    assert.equal(await stickersOf(page), WRONG);
    // Undo ends it too, and so does a text that is no cube.
    const [x, y] = await middle(repair);
    await page.mouse.move(x + 5, y);
    await eventually(async () => (await stickersOf(page)) === RUF);
    await page.locator("#net").focus();
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await page.keyboard.press("Control+z");
    await eventually(async () => /^UUFUUF/.test(await stickersOf(page)));
    await page.fill("#box", WRONG);
    await repair.waitFor();
    await page.mouse.move(x, y);
    await eventually(async () => (await stickersOf(page)) === RUF);
    await page.fill("#box", "R U X");
    await page.locator("#problem").getByText("found X").waitFor();
    assert.equal(await stickersOf(page), WRONG);
  });
});

/** The element at a point, by its selector among `#cube` and others. @param {import("playwright-core").Page} page @param {number} x @param {number} y */
const isCubeAt = (page, x, y) =>
  page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest("#cube") !== null, [x, y]);

for (const [name, viewport] of /** @type {[string, {width: number, height: number}][]} */ ([
  ["wide", { width: 1280, height: 800 }],
  ["narrow", { width: 390, height: 844 }],
]))
  test(`a larger cube covers nothing, and its view can be reset, ${name}`, async () => {
    await visit(browser, service, { context: { viewport } }, async (page) => {
      await paste(page, "R U F");
      await solution(page);
      await page.evaluate(() => scrollTo(0, 0));
      const reset = page.getByRole("button", { name: "Reset view" });
      assert.equal(await reset.isVisible(), false);
      const sticker = page.locator('#cube [data-index="22"]');
      const before = await sticker.boundingBox();
      const [x, y] = await middle(page.locator("#cube"));
      await page.mouse.move(x, y);
      for (let notch = 0; notch < 10; notch += 1) await page.mouse.wheel(0, -200);
      await reset.waitFor();
      const cube = await page.locator("#cube").boundingBox();
      assert(cube);
      assert.equal(await isCubeAt(page, x, y), true);
      for (const below of [-4, cube.height + 4]) assert.equal(await isCubeAt(page, x, cube.y + below), false);
      await reset.click();
      await reset.waitFor({ state: "hidden" });
      await eventually(async () => JSON.stringify(await sticker.boundingBox()) === JSON.stringify(before));
    });
  });
