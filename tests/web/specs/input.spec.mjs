// A cube reaches the page as text, by painting, and from a scramble; wrong cubes keep their stickers and can be repaired.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { applyMoves, parseMoves, SOLVED } from "../../../web/cube/cube.js";
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
    // Yellow on top, green in front, after one move of the right face.
    await paste(page, "YYBYYBYYBOOOOOOOOOGGYGGYGGYWWGWWGWWGRRRRRRRRRWBBWBBWBB");
    assert.deepEqual(await solution(page), ["R"]);
    assert.equal((await stickersOf(page))[4], "D");
    const name = await page.locator('#net [data-index="4"]').getAttribute("aria-label");
    assert.match(String(name), /yellow/);
  });
});

test("a text that is two cubes offers both readings", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.fill("#box", "f.b");
    const readings = page.locator("#input .row button:visible");
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

test("letters in a row are stickers, and one click reads them as moves", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.fill("#box", "RUFRUFRUF");
    await page.getByText("Looks like stickers: 9 of 54.").waitFor();
    await page.getByRole("button", { name: "Read as moves" }).click();
    await page.getByText("Read as a scramble.").waitFor();
  });
});

test("an impossible cube keeps its stickers, marks the faults and is repaired by one click", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const wrong = `D${RUF.slice(1)}`;
    await page.fill("#box", wrong);
    const problem = page.locator("#problem");
    await problem.getByText("8 white and 10 yellow stickers. There must be 9 of each colour.").waitFor();
    await problem.getByText("Change one sticker to get a possible cube:").waitFor();
    await problem.getByText("Why", { exact: true }).click();
    // The sentence names the colours as the page does, although the text had other letters.
    await problem.getByText(/Each symbol must occur 9 times.*W/).waitFor();
    assert.equal(await stickersOf(page), wrong);
    assert.deepEqual(await marked(page), ["U1"]);
    assert.equal(await page.locator("#cube .mark:visible").count(), 1);
    await problem.getByText("Why", { exact: true }).click();
    await shoot(page, "impossible");
    await problem.getByRole("button", { name: "Correct U1" }).click();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await stickersOf(page), RUF);
    assert.equal(await problem.isVisible(), false);
    // The paint mode is left, and the next move has its arrow.
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.locator("#cube .body.next").first().waitFor();
  });
});

/** Names of the marked stickers of the net. @param {import("playwright-core").Page} page */
const marked = (page) =>
  page
    .locator("#net [aria-label$='check this piece']")
    .evaluateAll((nodes) => nodes.map((node) => (node.getAttribute("aria-label") ?? "").slice(0, 2)).sort());

test("an impossible cube that is painted in part marks the wrong pieces, and is repaired without losing the unpainted", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    // U2 is yellow, so that the edge at the top is one that is at the bottom already.
    const wrong = `?D${RUF.slice(2)}`;
    await page.fill("#box", wrong);
    const problem = page.locator("#problem");
    await problem.getByText("An edge occurs twice.").waitFor();
    await problem.getByText("Why", { exact: true }).click();
    await problem.getByText("No legal cube has the known stickers").waitFor();
    assert.deepEqual(await marked(page), ["D4", "U2"]);
    await shoot(page, "impossible-in-part");
    await problem.getByRole("button", { name: "Correct U2: white", exact: true }).click();
    await page.getByRole("button", { name: "They match" }).click();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    // Of two faces and four centres the repair changes one sticker, and the others stay unpainted.
    const part = [...RUF].map((letter, at) => (at % 9 === 4 || (at >= 9 && at < 27) ? letter : "?"));
    part[23] = "B";
    await page.mouse.move(0, 0);
    await page.fill("#box", part.join(""));
    await problem.getByText("One edge has a combination of colours that does not exist.").waitFor();
    assert.deepEqual(await marked(page), ["R4"]);
    await problem
      .getByRole("button", { name: /^Correct (F6|R4): \w+$/ })
      .first()
      .click();
    await page.getByText("32 stickers are not painted yet.").waitFor();
  });
});

test("a wrong piece is marked once", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const cubeWith = (/** @type {Record<string, string>} */ changes) => {
      const cube = [...RUF];
      for (const [at, colour] of Object.entries(changes)) cube[Number(at)] = colour;
      return cube.join("");
    };
    const problem = page.locator("#problem");
    // Stickers of eight pieces have the colours of others. Five of the pieces do not exist.
    await page.fill("#box", cubeWith({ 1: "R", 3: "F", 5: "D", 7: "L", 10: "U", 12: "B", 46: "R", 48: "F" }));
    await problem.getByText("There must be 9 of each colour.").waitFor();
    assert.deepEqual(await marked(page), ["R4", "R8", "U2", "U4", "U6"]);
    // Every piece exists, and some twice: five stickers are yellow in place of white.
    await page.fill("#box", cubeWith({ 0: "D", 1: "D", 2: "D", 3: "D", 5: "D" }));
    await problem.getByText("4 white and 14 yellow stickers.").waitFor();
    assert.deepEqual(await marked(page), ["D4", "D8", "F4", "U1", "U2", "U3", "U4", "U6"]);
  });
});

test("a repeated centre is corrected by one click", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.fill("#box", `${RUF.slice(0, 4)}R${RUF.slice(5)}`);
    const problem = page.locator("#problem");
    await problem.getByText("Some centres have the same colour.").waitFor();
    assert.deepEqual(await marked(page), ["R5", "U5"]);
    assert.deepEqual(await problem.getByRole("button").allInnerTexts(), ["Correct U5: white"]);
    await problem.getByRole("button").click();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
  });
});

test("a face that was read in another rotation is rotated by one click", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const face = RUF.slice(9, 18);
    await page.fill("#box", RUF.slice(0, 9) + [...face].reverse().join("") + RUF.slice(18));
    await page
      .locator("#problem")
      .getByRole("button", { name: "Rotate the stickers of face R by a half turn" })
      .click();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
  });
});

test("a twisted corner: the page asks whether the stickers are right, and then says which corner to twist", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const twisted = [...RUF];
    [twisted[29], twisted[26], twisted[15]] = [RUF[26], RUF[15], RUF[29]];
    const problem = page.locator("#problem");
    await page.fill("#box", twisted.join(""));
    await problem.getByText("A corner is twisted in its place.").waitFor();
    assert.equal(await problem.getByText("possible cubes need").isVisible(), false);
    await problem.getByRole("button", { name: "No", exact: true }).click();
    await problem.getByText("8 possible cubes need 3 changes each.").waitFor();
    assert.equal(await problem.getByRole("button", { name: /^Correct/ }).count(), 3);
    await paste(page, "R");
    await solution(page);
    await page.fill("#box", twisted.join(""));
    await problem.getByRole("button", { name: "Yes, they are right" }).click();
    await problem.getByText(/^Twist the corner with .* \(.*\) (counter)?clockwise, as seen from outside\.$/).waitFor();
    assert.equal((await marked(page)).length, 3);
    await problem.getByRole("button", { name: "Done, solve it" }).click();
    await page.locator("#follow .moves button").first().waitFor();
    assert.equal(await problem.isVisible(), false);
  });
});

test("the panel of an impossible cube grows with its content, and its end can be reached", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const wrong = [...RUF].map((letter, at) => (at % 9 === 4 ? letter : RUF[(at * 5 + 1) % 54]));
    await page.fill("#box", wrong.join(""));
    const problem = page.locator("#problem");
    await problem.getByText(/^\d+ more$/).click();
    const heights = await problem.evaluate(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight]);
    assert.equal(heights[0], heights[1]);
    const last = problem.locator("p").last();
    await last.scrollIntoViewIfNeeded();
    const box = await last.boundingBox();
    assert(box && box.y >= 0 && box.y + box.height <= 800, JSON.stringify(box));
  });
});

test("an incomplete text is said to be incomplete", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await page.fill("#box", RUF.slice(1));
    await page.locator("#form", { hasText: "Looks like stickers: 53 of 54." }).waitFor();
    await page.locator("#problem").getByText("53 symbols were given").waitFor();
  });
});

test("a text that is no cube: the wrong character is selected and explained, and the arrow of the old cube goes", async () => {
  await visit(browser, service, { expected: /4(00|22)/ }, async (page) => {
    await paste(page, "R");
    await page.locator("#cube .body.next").first().waitFor();
    await page.fill("#box", "R U Q F");
    await page.locator("#problem").getByText("Character 5, Q, is not a move.").waitFor();
    const selected = await page.locator("#box").evaluate((box) => {
      const { value, selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (box);
      return value.slice(selectionStart, selectionEnd);
    });
    assert.equal(selected, "Q");
    await eventually(async () => (await page.locator("#cube .body.next:visible").count()) === 0);
    // An empty box has no fault, so the cube before it is back.
    await page.fill("#box", "");
    await page.locator("#problem").waitFor({ state: "hidden" });
    await page.locator("#cube .body.next").first().waitFor();
    // While it is typed, the next key must not replace it.
    await page.locator("#box").pressSequentially("R 2");
    await page.locator("#problem").getByText("character 3").waitFor();
    await page.keyboard.type("R");
    await eventually(async () => (await page.locator("#form").innerText()) === "Read as a scramble.");
    assert.equal(await page.locator("#box").inputValue(), "R 2R");
    await paste(page, "R U F");
    await eventually(async () => (await solution(page)).join() === "F',U',R'");
  });
});

test("the mode Scramble shows the first scramble, and keeps the cube until one is chosen, turned or generated", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByRole("button", { name: "Scramble", exact: true }).first().click();
    const scrambles = page.locator("#scramble li button");
    await scrambles.nth(4).waitFor();
    const first = await scrambles.first().innerText();
    const shown = (/** @type {string} */ moves) =>
      eventually(async () => (await stickersOf(page)) === applyMoves(SOLVED, parseMoves(moves)));
    await shown(first);
    assert.equal(await page.locator('#scramble [aria-pressed="true"]').innerText(), first);
    await page.goBack();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await stickersOf(page), RUF);
    await page.goForward();
    await shown(first);
    // A turn makes it the cube of the page.
    await page.keyboard.press("r");
    await shown(`${first} R`);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    assert.equal(await stickersOf(page), RUF);
    await page.locator("#scramble button.primary").click();
    await eventually(async () => (await scrambles.first().innerText()) !== first);
    await shown(await scrambles.first().innerText());
    await page.keyboard.press("Control+z");
    assert.equal(await stickersOf(page), RUF);
  });
});

test("texts that are too long, and letters of more than six colours, are named as such", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    const problem = page.locator("#problem");
    await page.fill("#box", "R U F' L ".repeat(40_000));
    await problem.getByText("The text has 360,000 characters, too many for a cube.").waitFor();
    assert.equal(await problem.getByRole("button").count(), 0);
    await page.fill("#box", "abcdefghi".repeat(6));
    await problem.getByText("There are more than six colours.").waitFor();
    await page.fill("#box", "X".repeat(54));
    await problem.getByText("There are fewer than six colours.").waitFor();
    await page.fill("#box", "\u200bR\u00a0U\u200b F");
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.inputValue("#box"), "R U F");
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
      await page.locator("#scramble").getByText(kind, { exact: true }).click();
      await eventually(async () => (await scrambles.first().innerText()) !== before);
    }
    assert.match(await scrambles.first().innerText(), /^R' U' F .* R' U' F$/);
    assert(movesOf(await scrambles.first().innerText()).length <= 27);
  });
});
