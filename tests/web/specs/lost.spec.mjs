// A user whose cube looks different from the page paints a few stickers, and the page names the wrong turn.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { applyMoves, parseMoves } from "../../../web/cube/cube.js";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { eventually, paste, solution, stickersOf } from "../steps.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  service = await Service.start();
  browser = await launch();
});
after(() => Promise.all([service?.stop(), browser?.close()]));

const SOLVED = "URFDLB".replace(/./g, (face) => face.repeat(9));
const SCRAMBLE = "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B";
/** @param {string[]} moves */
const cubeAfter = (moves) => applyMoves(SOLVED, [...parseMoves(SCRAMBLE), ...moves]);
/** @param {string} move */
const reversed = (move) => (move.endsWith("2") ? move.slice(0, 1) : move.endsWith("'") ? move.slice(0, 1) : `${move}'`);

/** Follows a solution for `step` moves, and says that the cube looks different. @param {import("playwright-core").Page} page @param {number} step */
async function follow(page, step) {
  await paste(page, SCRAMBLE);
  const moves = await solution(page);
  await page.locator(`#follow .moves button[data-step="${step}"]`).click();
  await page.getByRole("button", { name: "My cube looks different" }).click();
  await page.getByText("Copy one face of your cube, then another").waitFor();
  return moves;
}

/** Paints a face of the net as it is on `cube`. @param {import("playwright-core").Page} page @param {string} cube @param {string} face */
async function paintFace(page, cube, face) {
  const start = 9 * "URFDLB".indexOf(face);
  await page.locator(`#net [data-index="${start}"]`).focus();
  for (const colour of cube.slice(start, start + 9)) await page.keyboard.press(String("URFDLB".indexOf(colour) + 1));
}

for (const [width, height] of [
  [1280, 800],
  [390, 844],
])
  test(`at ${width}x${height} a turn in the wrong direction is named after two faces, and the solution goes on from there`, async () => {
    await visit(browser, service, { context: { viewport: { width, height } } }, async (page) => {
      const moves = await follow(page, 8);
      const made = moves.slice(0, 8).with(4, reversed(moves[4]));
      const cube = cubeAfter(made);
      const question = page.locator("#paint .question");
      let painted = 0;
      for (const face of "FR") {
        await paintFace(page, cube, face);
        painted += 1;
        await page.waitForTimeout(600);
        if (await question.getByRole("button", { name: "Yes" }).isVisible()) break;
      }
      await question.getByText(/move 5, /).waitFor();
      assert.equal(await stickersOf(page), cube, "the picture is that cube");
      // Stickers that were not painted have dots, on the net and on the cube.
      const dots = page.locator('#net [aria-label$="filled in"]');
      assert.equal(await dots.count(), 54 - 6 - 8 * painted);
      // The cube shows the faces U, F and R.
      assert.equal(await page.locator("#cube .sign:visible", { hasText: "\u25cf" }).count(), 8 * (3 - painted));
      // It is the only question, and nothing else can be pressed.
      assert.equal(await page.locator("#paint .guide").innerText(), "");
      assert.deepEqual(await page.locator("#paint button:visible").allInnerTexts(), [
        "Yes, go on from here",
        "No",
        "Cancel",
      ]);
      await shoot(page, `lost-${width}`);
      // A tap that comes soon after the picture has moved is ignored.
      await page.waitForTimeout(500);
      await question.getByRole("button", { name: "Yes, go on from here" }).click();
      const rest = await solution(page);
      assert.match(applyMoves(cube, rest), /^(?:(\w)\1{8}){6}$/);
      assert.match(await page.locator("#message").innerText(), /move 5, /);
    });
  });

test("one move more than the page has shown is no wrong turn", async () => {
  await visit(browser, service, {}, async (page) => {
    const moves = await follow(page, 6);
    const cube = cubeAfter(moves.slice(0, 7));
    for (const face of "FRUB") await paintFace(page, cube, face);
    await page.getByText("Your cube is right: it looks like this after move 7.").waitFor();
    await page.getByRole("button", { name: "Yes, go on from here" }).click();
    await eventually(async () => /7 of/.test(await page.locator("#follow .lengths").innerText()));
    assert.deepEqual(await page.locator("#follow .moves button").allInnerTexts(), moves);
  });
});

test("another cube than a few wrong turns give is painted and solved", async () => {
  await visit(browser, service, {}, async (page) => {
    await follow(page, 6);
    const cube = applyMoves(SOLVED, parseMoves("U2 R' D B L2 F' U R B2 D'"));
    for (const face of "FR") await paintFace(page, cube, face);
    await page.getByText("No one or two wrong turns explain this.").waitFor();
    for (const face of "BLUD") await paintFace(page, cube, face);
    assert.match(applyMoves(cube, await solution(page)), /^(?:(\w)\1{8}){6}$/);
    assert.equal(await page.locator("#paint .question").isVisible(), false);
  });
});

test("one instruction at a time, no colour is filled in, and cancel leads back to the solution", async () => {
  await visit(browser, service, {}, async (page) => {
    const moves = await follow(page, 6);
    const cube = applyMoves(SOLVED, parseMoves("U2 R' D B L2 F' U R B2 D'"));
    assert.deepEqual(await page.locator("#paint button:visible").allInnerTexts(), ["Cancel", "Undo", "Redo"]);
    for (const face of "FRBLU") await paintFace(page, cube, face);
    await page.getByText("No one or two wrong turns explain this.").waitFor();
    // These five faces decide the rest, but the page asks nothing about it.
    assert.equal(await page.getByRole("button", { name: "They match" }).isVisible(), false);
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await page.locator("#paint").isVisible(), false);
    assert.equal(await stickersOf(page), cubeAfter(moves.slice(0, 6)));
    assert.deepEqual(await page.locator("#follow .moves button").allInnerTexts(), moves);
    await page.locator("#follow .lengths").getByText("6 of").waitFor();
    await eventually(async () => page.url().includes(`#cube=${cubeAfter([])}&`) && page.url().endsWith("&step=6"));
  });
});
