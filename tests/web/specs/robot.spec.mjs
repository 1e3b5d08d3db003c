// The cheapest solution for a robot: the example, a file, and faults in the description.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { readFile } from "node:fs/promises";
import { applyMoves, parseMoves } from "../../../web/cube/cube.js";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { eventually, paste, solution } from "../steps.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
before(async () => {
  service = await Service.start();
  browser = await launch();
});
after(() => Promise.all([service?.stop(), browser?.close()]));

const SCRAMBLE = "R U F D2 L B'";
const CUBE = applyMoves(
  "URFDLB".replace(/./g, (face) => face.repeat(9)),
  parseMoves(SCRAMBLE),
);
const MACHINE = new URL("../../../examples/machines/cubotino.json", import.meta.url);

/** @param {{width: number, height: number}} viewport @param {(page: import("playwright-core").Page) => Promise<void>} steps */
const open = (viewport, steps) =>
  visit(browser, service, { context: { viewport }, expected: /422|503/ }, async (page) => {
    await paste(page, SCRAMBLE);
    await solution(page);
    await page.getByText("Solve for a robot", { exact: true }).click();
    await steps(page);
  });

/** The costs of the schedule, from the page. @param {import("playwright-core").Page} page */
async function totals(page) {
  const lines = await page.locator("#share li").allInnerTexts();
  return lines.map((line) => Number(/([\d.]+) so far/.exec(line)?.[1]));
}

test("the cheapest solution for the example is shown action by action", async () => {
  await open({ width: 1280, height: 800 }, async (page) => {
    await page.getByRole("button", { name: "Find the cheapest solution" }).click();
    await page.getByText(/^\d+ moves, cost/).waitFor();
    const sums = await totals(page);
    assert.ok(sums.length > 6 && sums.every((sum, at) => sum > (sums[at - 1] ?? 0)), String(sums));
    const told = await page.getByText(/^\d+ moves, cost/).innerText();
    const [cost, bound] = (/cost ([\d.]+)\..* than ([\d.]+)\./.exec(told) ?? []).slice(1).map(Number);
    assert.equal(cost, sums.at(-1));
    assert.ok(bound > 0 && bound <= cost, told);
    await shoot(page, "robot");
    // The schedule is played on the cube: turns of the bottom layer, and of the whole cube.
    await page.getByRole("button", { name: "Play the schedule" }).click();
    await page
      .locator("#follow .hold")
      .getByText(/^The robot: (D|flip|spin)/)
      .waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const played = await page.locator("#follow .moves button").allInnerTexts();
    assert(
      played.every((move) => /^(D[2']?|x'|y'?)$/.test(move)),
      played.join(" "),
    );
    assert.match(applyMoves(CUBE, played), /^(?:(\w)\1{8}){6}$/);
    const flip = played.indexOf("x'");
    await page.locator(`#follow .moves button[data-step="${flip}"]`).click();
    await page.locator("#follow .hold").getByText("The robot: flip", { exact: true }).waitFor();
    await page.getByText("Rotate the whole cube counterclockwise, as seen from the right").first().waitFor();
    assert.match(await page.locator("#follow .lengths").innerText(), / turns? of faces or of the cube/);
    assert.doesNotMatch(await page.locator("#follow .lengths").innerText(), /needed/);
    await shoot(page, "robot-played");
    // The laboratory counts turns of faces only.
    const turns = played.slice(0, 9).filter((move) => move.startsWith("D")).length;
    await page.locator('#follow .moves button[data-step="9"]').click();
    await page.getByRole("button", { name: "Laboratory" }).click();
    await page.getByRole("tab", { name: "Solution" }).click();
    const rows = page.getByRole("tabpanel", { name: "Solution" }).locator("tr:has(td)");
    await eventually(async () => (await rows.nth(turns).getAttribute("aria-current")) === "step");
    await rows.nth(2).getByRole("button").click();
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    const made = page.locator("#follow .moves .made");
    const done = await made.allInnerTexts();
    assert.equal(done.filter((move) => move.startsWith("D")).length, 2);
    assert(done.at(-1)?.startsWith("D"));
    await page.getByRole("button", { name: "Go to the end" }).click();
    await page.locator("#follow .instruction").getByText("The cube is solved").waitFor();
    await page.getByRole("button", { name: "Follow the solution" }).click();
    const moves = await page.locator("#follow .moves button").allInnerTexts();
    assert.match(applyMoves(CUBE, moves), /^(?:(\w)\1{8}){6}$/);
  });
});

test("a file is read, and costs of turns are known by their names", async () => {
  await open({ width: 390, height: 844 }, async (page) => {
    await page.getByLabel("Or open its file").setInputFiles({
      name: "cubotino.json",
      mimeType: "application/json",
      buffer: await readFile(MACHINE),
    });
    await eventually(async () => /rotate to home/.test(await page.getByLabel("Your robot").inputValue()));
    await page.getByRole("button", { name: "Find the cheapest solution" }).click();
    await page.getByText(/^\d+ moves, cost/).waitFor();
    await shoot(page, "robot-phone");
    const [whole, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(whole <= seen, `${whole} pixels of ${seen}`);
    const turns = [..."URFDLB"].flatMap((face) => [face, `${face}2`, `${face}'`]);
    const costs = Object.fromEntries(turns.map((turn) => [turn, turn.includes("2") ? 2 : 1]));
    await page.getByLabel("Your robot").fill(JSON.stringify(costs));
    await page.getByRole("button", { name: "Find the cheapest solution" }).click();
    await page.getByText("6 moves, cost 7. No solution costs less than").waitFor();
  });
});

test("the solution for a robot turns only the faces in the field", async () => {
  await open({ width: 1280, height: 800 }, async (page) => {
    const machine = await readFile(new URL("five-faces.json", MACHINE), "utf8");
    await page.getByLabel("Your robot").fill(machine);
    const find = page.getByRole("button", { name: "Find the cheapest solution" });
    await find.click();
    await page.locator("#share li", { hasText: "the option" }).first().waitFor();
    await page.getByLabel("Faces that the robot can turn").fill("urfdl");
    // Its tables are built when they are first asked for.
    await eventually(async () => {
      await find.click();
      await page.locator("#share [role=status] p:not(.quiet)").first().waitFor();
      return page.getByText(/^\d+ moves, cost/).isVisible();
    });
    const told = await page.locator("#share li").allInnerTexts();
    assert.ok(told.length > 0 && told.every((line) => !line.startsWith("B")), String(told));
    await shoot(page, "robot-five-faces");
  });
});

test("what is wrong with the description is told", async () => {
  await open({ width: 1280, height: 800 }, async (page) => {
    const find = page.getByRole("button", { name: "Find the cheapest solution" });
    await page.getByLabel("Your robot").fill("{");
    await find.click();
    await page.getByText("The text is not JSON").waitFor();
    const stuck = { start: "here", states: ["here"], actions: [{ turn: "U", to: "there", cost: 1 }] };
    await page.getByLabel("Your robot").fill(JSON.stringify(stuck));
    await find.click();
    await page.locator("#share li", { hasText: "there" }).first().waitFor();
    await shoot(page, "robot-faults");
  });
});
