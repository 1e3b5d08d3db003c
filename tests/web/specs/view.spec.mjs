// What the cube shows: previews of other cubes, and the view from which it is seen.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, Service, shoot, visit } from "../browser.mjs";
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
    await page.fill("#box", "R U Q");
    await repair.waitFor({ state: "hidden" });
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

test("a new cube is seen from the usual view, and a turned one from where it is seen", async () => {
  await visit(browser, service, {}, async (page) => {
    const reset = page.getByRole("button", { name: "Reset view" });
    await page.mouse.move(...(await middle(page.locator("#cube"))));
    await page.mouse.wheel(0, -200);
    await reset.waitFor();
    await page.keyboard.press("r");
    await solution(page);
    assert.equal(await reset.isVisible(), true);
    await paste(page, "R U F");
    await reset.waitFor({ state: "hidden" });
  });
});

/** The rotation of the cube, by the place of its front centre. @param {import("playwright-core").Page} page */
const poseOf = (page) => page.locator('#cube [data-index="22"]').getAttribute("points");

test("each step returns to the usual view, and the way to hold the cube stays", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    const hold = page.locator("#follow").getByText("Hold white on top and green in front.");
    await page.keyboard.press("Escape");
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    const home = await poseOf(page);
    for (const key of ["ArrowRight", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
    await page.getByRole("button", { name: "Reset view" }).waitFor();
    await page.keyboard.press(".");
    await page.getByRole("button", { name: "Reset view" }).waitFor({ state: "hidden" });
    await eventually(async () => (await poseOf(page)) === home);
    for (const next of ["top", "right"]) {
      await page.locator("#follow .instruction").getByText(`Turn the ${next} face counterclockwise`).waitFor();
      assert.equal(await hold.isVisible(), true, next);
      await page.keyboard.press(".");
    }
    await page.getByText("The cube is solved").first().waitFor();
  });
});

test("a move of a hidden face is shown from its side", async () => {
  await visit(browser, service, {}, async (page) => {
    const inset = page.locator("#inset");
    for (const [text, name] of [
      ["B", "From the back"],
      ["L2", "From the left"],
      ["D'", "From below"],
    ]) {
      await paste(page, text);
      await inset.getByText(name, { exact: true }).waitFor();
      // The face that turns is whole: its nine stickers and the arrow are seen.
      const face = "URFDLB".indexOf(text[0]);
      const seen = await inset
        .locator(".sticker:visible")
        .evaluateAll((nodes) => nodes.map((node) => Math.floor(Number(node.getAttribute("data-index")) / 9)));
      assert.equal(seen.filter((at) => at === face).length, 9, name);
      assert.equal(await inset.locator(".body.next:visible").count(), 3, name);
    }
    await paste(page, "R");
    await inset.waitFor({ state: "hidden" });
    await eventually(async () => !(await inset.isVisible()));
  });
});

for (const [width, height, deviceScaleFactor] of [
  [390, 844, 3],
  [844, 390, 3],
  [640, 400, 2],
  [1280, 800, 1],
  [2560, 1440, 1],
])
  test(`the move and its button are on the screen, and its text is the largest, ${width}x${height}`, async () => {
    await visit(browser, service, { context: { viewport: { width, height }, deviceScaleFactor } }, async (page) => {
      await paste(page, "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B");
      await page.locator("#follow .moves button").nth(10).waitFor();
      await page.evaluate(() => scrollTo(0, 0));
      const boxOf = async (/** @type {import("playwright-core").Locator} */ part) => {
        const box = await part.boundingBox();
        assert(box);
        return box;
      };
      const sides = await page.locator("#cube .body:visible").all();
      const boxes = await Promise.all(sides.map(boxOf));
      const cube = {
        left: Math.min(...boxes.map(({ x }) => x)),
        right: Math.max(...boxes.map(({ x, width }) => x + width)),
      };
      for (const part of [
        page.locator("#follow .hold"),
        page.locator("#follow .instruction"),
        page.getByRole("button", { name: "Next move", exact: true }),
      ]) {
        const box = await boxOf(part);
        assert(box.y >= 0 && box.y + box.height <= height, `${part}: ${JSON.stringify(box)}`);
        const gap = Math.max(box.x - cube.right, cube.left - (box.x + box.width));
        assert(gap < 300, `${part} is ${gap} px beside the cube`);
      }
      const sizes = await page
        .locator("#stage :is(p, strong, span, button, summary):visible, #side :is(p, label, button, summary):visible")
        .evaluateAll((nodes) =>
          nodes
            // The page may have replaced some since they were found.
            .filter((node) => node.isConnected)
            .map((node) => [node.closest(".instruction") !== null, parseFloat(getComputedStyle(node).fontSize)]),
        );
      const lead = Math.max(...sizes.filter(([own]) => own).map(([, size]) => Number(size)));
      const rest = Math.max(...sizes.filter(([own]) => !own).map(([, size]) => Number(size)));
      assert(lead > rest, `${lead} px, and other text has ${rest} px`);
      const [least, most] = width > 2000 ? [36, 72] : [24, 28];
      assert(lead >= least && lead <= most, `${lead} px`);
    });
  });

test("at the end the page says that the cube is solved, and offers another cube", async () => {
  await visit(browser, service, {}, async (page) => {
    const another = page.getByRole("button", { name: "Another cube" });
    await paste(page, "R");
    await solution(page);
    assert.equal(await another.isVisible(), false);
    const button = page.getByRole("button", { name: "Next move", exact: true });
    const next = await button.boundingBox();
    assert(next);
    // The second click comes at once, and does not press the button that takes the place of the first.
    await page.evaluate(() => {
      for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("button.next"))) one.click();
    });
    await page.locator("#follow .instruction").getByText("The cube is solved").waitFor();
    // It takes the place of the button that has nothing left to do.
    assert.equal(await page.getByRole("button", { name: "Next move", exact: true }).isVisible(), false);
    assert.deepEqual(await another.boundingBox(), next);
    assert.equal(await page.locator("#follow .moves button").innerText(), "R'");
    await another.click();
    await page.getByRole("heading", { name: "Solve my cube" }).waitFor();
    assert.equal(await page.locator("#box").inputValue(), "");
    assert.equal(await page.locator("#follow").isVisible(), false);
    // The address follows within a quarter of a second.
    await eventually(async () => !new URL(page.url()).hash.includes("solution"));
  });
});

for (const colorScheme of /** @type {const} */ (["light", "dark"]))
  test(`the arrow stands out from the layer that it turns, and the layer from the others, ${colorScheme}`, async () => {
    await visit(browser, service, { context: { colorScheme } }, async (page) => {
      await paste(page, "R");
      await page.locator("#cube .body.next").first().waitFor();
      /** The relative luminance of a fill. @param {string} selector */
      const luminance = async (selector) => {
        const fill = await page
          .locator(selector)
          .first()
          .evaluate((node) => getComputedStyle(node).fill);
        const channels = (fill.match(/\d+/g) ?? []).map((value) => Number(value) / 255);
        const [r, g, b] = channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      /** @param {number} a @param {number} b */
      const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const [arrow, layer, body] = [
        await luminance("#cube .arrow"),
        await luminance("#cube .body.next"),
        await luminance("#cube .body:not(.next)"),
      ];
      assert(contrast(arrow, layer) > 3, `arrow ${arrow}, layer ${layer}`);
      assert(contrast(layer, body) > 3, `layer ${layer}, body ${body}`);
      await shoot(page, `arrow-${colorScheme}`);
    });
  });
