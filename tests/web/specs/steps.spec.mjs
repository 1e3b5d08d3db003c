// A solution in the steps of fewest-moves solvers: each step is shown, with and without moves on the inverse cube.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
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

const SCRAMBLE = "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B";
const CUBE = applyMoves(
  "URFDLB".replace(/./g, (face) => face.repeat(9)),
  parseMoves(SCRAMBLE),
);

for (const niss of [false, true])
  test(`a solution in steps${niss ? " with moves on the inverse cube" : ""} is shown step by step`, async () => {
    await visit(browser, service, {}, async (page) => {
      await paste(page, SCRAMBLE);
      await solution(page);
      await page.getByText("Solve in steps", { exact: true }).click();
      if (niss) await page.getByLabel("Also make moves on the inverse cube").check();
      const find = page.getByRole("button", { name: "Find steps" });
      const items = page.locator("#share li");
      // A search that got no core beside other programs ends without steps.
      await eventually(async () => {
        if (await items.nth(3).isVisible()) return true;
        if (await find.isVisible()) await find.click();
        return false;
      }, 60_000);
      // No better solution takes the place of the one that is read below.
      const stop = page.getByRole("button", { name: "Stop the search" });
      await stop.click({ timeout: 6000 }).catch(() => "it has ended by itself");
      await find.waitFor();
      const names = await items.locator("strong").allInnerTexts();
      assert.deepEqual(names, ["EO", "DR", "HTR", "Finish"]);
      assert.match(await items.nth(2).innerText(), /htr, \d+ moves so far/);
      await shoot(page, `steps-${niss}`);
      if (!niss) {
        const first = items.first().getByRole("button");
        const moves = parseMoves(await first.innerText());
        await first.click();
        assert.equal(await page.locator("#follow .moves .made").count(), moves.length);
      }
      await page.getByRole("button", { name: "Follow the whole solution" }).click();
      const whole = await page.locator("#follow .moves button").allInnerTexts();
      assert.match(applyMoves(CUBE, whole), /^(?:(\w)\1{8}){6}$/);
    });
  });

test("better solutions in steps are shown as they are found, and the search can be stopped", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, SCRAMBLE);
    await solution(page);
    const body = { facelets: CUBE, steps: "eo > dr > htr > finish", time_limit_ms: 300 };
    const headers = { "content-type": "application/json" };
    let first = "";
    await eventually(async () => {
      const stream = await fetch(`${service.url}/steps/stream`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      first = (await stream.text()).split("\n\n").find((event) => event.startsWith("event: solution")) ?? "";
      return first !== "";
    }, 60_000);
    const { length } = JSON.parse(first.split("data: ")[1]);
    // The stream has one event, and no result.
    await page.route("**/steps/stream", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: `${first}\n\n` }),
    );
    await page.getByText("Solve in steps", { exact: true }).click();
    const find = page.getByRole("button", { name: "Find steps" });
    await find.click();
    await page.getByText(new RegExp(`^${length} moves after [\\d.]+ m?s\\.`)).waitFor();
    assert.equal(await page.locator("#share li").count(), 4);
    await page.unroute("**/steps/stream");
    await page.getByLabel("Also make moves on the inverse cube").check();
    await find.click();
    await page.getByText(/moves after .*Searching for at most 5 s\.$/).waitFor();
    await page.getByRole("button", { name: "Stop the search" }).click();
    await find.waitFor();
    assert.equal(await page.getByText("Searching for at most 5 s.").isVisible(), false);
    assert.equal(await page.locator("#share li").count(), 4);
  });
});

test("ways to a step are listed, with or without those that differ in the direction of the last turn", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, SCRAMBLE);
    await solution(page);
    await page.getByText("Solve in steps", { exact: true }).click();
    const endings = page.getByLabel("Ways that differ in the direction of their last turn count as one");
    assert.equal(await endings.isVisible(), false);
    await page.getByLabel("Look for").selectOption("10 ways to EO");
    /** The ways, each without the direction of its last turn. */
    const ways = async () => {
      const items = page.locator("#share li .mono");
      await eventually(async () => {
        await page.getByRole("button", { name: "Find steps" }).click();
        const told = page.getByText("Ways found, shortest first: 10.");
        return told.waitFor({ timeout: 8000 }).then(
          () => true,
          () => false,
        );
      }, 60_000);
      const texts = await items.allInnerTexts();
      assert.equal(texts.length, 10);
      assert.equal(new Set(texts).size, 10);
      return new Set(texts.map((text) => text.replace(/'$/, ""))).size;
    };
    assert.equal(await ways(), 10);
    await shoot(page, "steps-ways");
    await endings.uncheck();
    assert.equal(await ways(), 5);
  });
});
