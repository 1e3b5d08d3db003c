// A cube reaches the page as text, by painting, and from a scramble; wrong cubes keep their stickers and can be repaired.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { RUF, FORMS } from "../cubes.mjs";
import { eventually, movesOf, paste, solution, stickersOf } from "../steps.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  service = await Service.start();
  browser = await launch();
});
after(() => Promise.all([service?.stop(), browser?.close()]));

test("every form of a cube shows the same stickers and gets the same solution", async () => {
  await visit(browser, service, {}, async (page) => {
    for (const [name, text] of Object.entries(FORMS)) {
      await paste(page, "R");
      assert.deepEqual(await solution(page), ["R'"]);
      await paste(page, text);
      assert.deepEqual(await solution(page), ["F'", "U'", "R'"], name);
      assert.equal(await stickersOf(page), RUF, name);
    }
    await shoot(page, "solved");
  });
});

test("the cube keeps the colours and the holding of the caller", async () => {
  await visit(browser, service, {}, async (page) => {
    // Yellow on top, green in front, after one turn of the right face.
    await paste(page, "YYBYYBYYBOOOOOOOOOGGYGGYGGYWWGWWGWWGRRRRRRRRRWBBWBBWBB");
    assert.deepEqual(await solution(page), ["R"]);
    assert.equal((await stickersOf(page))[4], "D");
    const name = await page.locator('#cube [data-index="4"]').first().getAttribute("aria-label");
    assert.match(String(name), /yellow/);
  });
});

test("a text that is two cubes offers both readings", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.fill("#box", "f.b");
    const readings = page.locator("#input button:visible");
    await readings.nth(1).waitFor();
    assert.equal(await readings.count(), 2);
    const stickers = new Set();
    for (const at of [0, 1]) {
      await paste(page, "D");
      await page.fill("#box", "f.b");
      await readings.nth(at).click();
      await solution(page);
      stickers.add(await stickersOf(page));
    }
    assert.equal(stickers.size, 2);
  });
});

test("an impossible cube keeps its stickers, marks the faults and is repaired by one click", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const wrong = `D${RUF.slice(1)}`;
    await page.fill("#box", wrong);
    const problem = page.locator("#problem");
    await problem.getByText("Each symbol must occur 9 times").waitFor();
    assert.equal(await stickersOf(page), wrong);
    assert((await page.locator("#cube .mark:visible, #cube .marked:visible").count()) > 0, "no sticker is marked");
    await shoot(page, "impossible");
    await problem.getByRole("button", { name: "Correct U1" }).click();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await stickersOf(page), RUF);
    assert.equal(await problem.isVisible(), false);
    // The paint mode is left, and the next turn has its arrow.
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.locator("#cube .body.next").first().waitFor();
  });
});

test("a text that is no cube gets the sentence of the service", async () => {
  await visit(browser, service, { expected: /4(00|22)/ }, async (page) => {
    await page.fill("#box", "R U X");
    await page.locator("#problem").getByText("found X").waitFor();
    assert.equal(await stickersOf(page), await stickersOf(page));
    await page.fill("#box", "R U F");
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
  });
});

test("stickers are painted with the pointer and with keys, counted, and undone", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.getByRole("button", { name: "Paint", exact: true }).click();
    await page.getByRole("button", { name: "Clear" }).click();
    assert.equal([...(await stickersOf(page))].filter((colour) => colour === "?").length, 48);
    await page.locator('#net [data-index="0"]').click();
    await page.getByText("47 stickers are not painted yet.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await shoot(page, "painting");
    const counter = page.locator("#paint label", { has: page.locator('input[value="U"]') });
    assert.match(await counter.innerText(), /\b1\b/);
    await counter.click();
    await page.locator('#net [data-index="0"]').click();
    assert.match(await counter.innerText(), /\b2\b/);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.match(await counter.innerText(), /\b1\b/);
    await page.getByRole("button", { name: "Redo" }).click();
    assert.match(await counter.innerText(), /\b2\b/);
    // The rest by keys: a colour paints the sticker under the cursor and goes to the next one.
    await page.locator('#net [data-index="0"]').focus();
    for (const colour of RUF) await page.keyboard.press(String("URFDLB".indexOf(colour) + 1));
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await stickersOf(page), RUF);
    await page.locator("#cube .body.next").first().waitFor();
  });
});

test("a scramble is drawn, applied and solved, and official competitions are mentioned", async () => {
  await visit(browser, service, {}, async (page) => {
    await page.getByRole("button", { name: "Scramble", exact: true }).first().click();
    const scrambles = page.locator("#scramble li button");
    await scrambles.nth(4).waitFor();
    const chosen = await scrambles.nth(2).innerText();
    await scrambles.nth(2).click();
    const stickers = await stickersOf(page);
    const converted = await fetch(`${service.url}/convert?cube=${encodeURIComponent(chosen)}&to=facelets`);
    assert.equal(stickers, (await converted.json()).forms.facelets);
    assert.match(await page.locator("#scramble").innerText(), /official/i);
    await shoot(page, "scrambles");
    for (const kind of ["One hand", "Blindfolded", "Fewest moves"]) {
      const before = await scrambles.first().innerText();
      await page.getByText(kind, { exact: true }).click();
      await eventually(async () => (await scrambles.first().innerText()) !== before);
    }
    assert.match(await scrambles.first().innerText(), /^R' U' F .* R' U' F$/);
    assert(movesOf(await scrambles.first().innerText()).length <= 27);
  });
});
