// What a page owes to everyone: forced colours, names of controls, the history, and the address.
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
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** The painted style of an element. @param {import("playwright-core").Locator} item */
const styleOf = (item) =>
  item.evaluate((node) => {
    const { backgroundColor, borderColor, outlineStyle, borderBottomWidth } = getComputedStyle(node);
    return [backgroundColor, borderColor, outlineStyle, borderBottomWidth].join(" ");
  });

for (const colorScheme of ["light", "dark"])
  test(`forced colours show what is chosen, ${colorScheme}`, async () => {
    await visit(browser, service, { context: { forcedColors: "active", colorScheme } }, async (page) => {
      const differ = async (/** @type {string} */ chosen, /** @type {string} */ other) =>
        assert.notEqual(
          await styleOf(page.locator(chosen).first()),
          await styleOf(page.locator(other).first()),
          chosen,
        );
      await paste(page, "R U F");
      await solution(page);
      await differ("#follow .moves [aria-current]", "#follow .moves button:not([aria-current])");
      await differ("nav [aria-current]", "nav button:not([aria-current])");
      await page.getByRole("button", { name: "Paint it" }).click();
      await differ(".brush:has(:checked)", ".brush:not(:has(:checked))");
      await shoot(page, `forced-${colorScheme}`);
      await page.getByRole("button", { name: "Scramble", exact: true }).first().click();
      await page.locator("#scramble li button").nth(1).click();
      await differ('#scramble [aria-pressed="true"]', '#scramble [aria-pressed="false"]');
      await differ(".segments :checked + span", ".segments :not(:checked) + span");
      const primary = page.locator("#scramble button.primary");
      const [text, back] = await primary.evaluate((node) => {
        const { color, backgroundColor, forcedColorAdjust } = /** @type {any} */ (getComputedStyle(node));
        return [color, backgroundColor, forcedColorAdjust];
      });
      assert.notEqual(text, back);
      assert.equal(await primary.evaluate((node) => getComputedStyle(node).forcedColorAdjust), "none");
      await page.getByRole("button", { name: "Laboratory" }).click();
      await page.locator("#lab tr[aria-current=true]").waitFor();
      await differ("#lab tr[aria-current=true]", "#lab tr[aria-current=false]");
      await differ(".tablist [aria-selected=true]", ".tablist [aria-selected=false]");
    });
  });

test("labels contain the visible text, and the cube is one picture", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    const moves = await page
      .locator("#follow .moves button")
      .evaluateAll((nodes) => nodes.map((node) => [node.textContent, node.getAttribute("aria-label")]));
    assert.equal(moves.length, 3);
    for (const [text, label] of moves) assert(label?.startsWith(`${text}, move `), `${label} for ${text}`);
    assert.match(await page.locator("#stage").ariaSnapshot(), /- img "Cube in space/);
    assert.equal((await page.locator("#stage").ariaSnapshot()).match(/- img/g)?.length, 1);
    assert.equal(await page.locator("#cube [role]").count(), 0);
  });
});

test("a mode is an entry of the history, and the cube stays", async () => {
  await visit(browser, service, {}, async (page) => {
    const mode = () => page.evaluate(() => document.body.dataset.mode);
    await paste(page, "R U F");
    await solution(page);
    await page.getByRole("button", { name: "Laboratory" }).click();
    await page.locator("#lab tr[aria-current=true]").waitFor();
    await page.getByRole("toolbar", { name: "Turn the cube" }).getByRole("button", { name: "U2", exact: true }).click();
    await eventually(async () => (await stickersOf(page)) !== RUF);
    const turned = await stickersOf(page);
    await page.goBack();
    await eventually(async () => (await mode()) === "solve");
    assert.equal(await stickersOf(page), turned);
    await eventually(async () => page.url().includes(`#cube=${turned}`));
    await page.goForward();
    await eventually(async () => (await mode()) === "lab");
    assert.match(page.url(), /mode=lab/);
  });
});

test("the address has the tab and the coordinate of the laboratory", async () => {
  const path = `/#mode=lab&coordinate=sym(slice,UD16)&cube=${RUF}`;
  await visit(browser, service, { path }, async (page) => {
    await page.getByRole("heading", { name: "sym(slice,UD16)" }).waitFor();
    await page.getByText("Highlight its pieces: the edges of the middle layer").waitFor();
    assert.equal(await page.locator("#cube .sticker.faded").count(), 46);
    await page.getByRole("button", { name: "twist", exact: true }).click();
    await page.getByRole("heading", { name: "twist", exact: true }).waitFor();
    await eventually(async () => page.url().includes("coordinate=twist"));
    await page.getByLabel("Highlight its pieces").uncheck();
    assert.equal(await page.locator("#cube .sticker.faded").count(), 0);
    await page.getByRole("tab", { name: "Tables" }).click();
    await eventually(async () => page.url().includes("tab=tables"));
    await page.reload();
    await page.getByLabel("Table", { exact: true }).waitFor();
    assert.equal(await page.getByRole("tab", { name: "Tables" }).getAttribute("aria-selected"), "true");
  });
  const unknown = { path: "/#mode=lab&coordinate=nonsense", expected: /404/ };
  await visit(browser, service, unknown, async (page) => {
    await page.getByText("Unknown coordinate nonsense").waitFor();
    await page.getByRole("heading", { name: "twist", exact: true }).waitFor();
  });
});

test("the address changes at most four times a second", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F L D B R2 U2 F2");
    await solution(page);
    await page.evaluate(() => {
      const times = /** @type {any} */ (window.times = /** @type {number[]} */ ([]));
      const replace = history.replaceState.bind(history);
      history.replaceState = (...args) => (times.push(performance.now()), replace(...args));
    });
    const scrub = page.getByLabel("Moves made");
    for (let at = 0; at < 60; at += 1) await scrub.fill(String(at % 7));
    await scrub.fill("5");
    await eventually(async () => page.url().endsWith("step=5"));
    const times = await page.evaluate(() => /** @type {any} */ (window).times);
    assert(times.length > 1);
    for (let at = 1; at < times.length; at += 1) assert(times[at] - times[at - 1] > 245, times.join(" "));
  });
});

for (const [text, viewport] of /** @type {[number, {width: number, height: number}][]} */ ([
  [32, { width: 1280, height: 800 }],
  [24, { width: 390, height: 844 }],
]))
  test(`text of ${text} px, as the browser is set, scales the page at ${viewport.width} px`, async () => {
    await visit(browser, service, { context: { viewport } }, async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Page.setFontSizes", { fontSizes: { standard: text, fixed: text } });
      await paste(page, "R U F");
      await solution(page);
      const next = page.getByRole("button", { name: "Next move", exact: true });
      const font = await page.locator("#message").evaluate(() => getComputedStyle(document.body).fontSize);
      assert.equal(font, `${text}px`);
      const box = await next.boundingBox();
      assert(box && box.height >= 2.5 * text, JSON.stringify(box));
      assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      for (const mode of ["Scramble", "Laboratory"]) {
        await page.getByRole("button", { name: mode, exact: true }).first().click();
        await page.waitForTimeout(500);
        assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), mode);
      }
    });
  });
