// Fewest moves: a longer search, a list of solutions, a check of a solution of one's own, and how to get proofs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import AxeBuilder from "@axe-core/playwright";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { eventually, paste, solution } from "../steps.mjs";

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

const RANDOM = "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B";

test("a longer search goes on from the solution, and says what it found", async () => {
  await visit(browser, service, {}, async (page) => {
    /** @type {any[]} */
    const asked = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/solve/stream")) asked.push(request.postDataJSON());
    });
    await paste(page, RANDOM);
    const { length } = await solution(page);
    await page.getByText("Fewest moves", { exact: true }).click();
    // A longer solution than the one shown changes nothing, a shorter one replaces it.
    const events = [
      { moves: Array(length + 1).fill("R"), length: length + 1, lower_bound: 1, elapsed_us: 1000 },
      { moves: Array(length - 1).fill("R"), length: length - 1, lower_bound: 1, elapsed_us: 2000 },
    ].map((data) => `event: solution\ndata: ${JSON.stringify(data)}\n\n`);
    await page.route("**/solve/stream", async (route) => {
      asked.push(route.request().postDataJSON());
      await route.fulfill({ contentType: "text/event-stream", body: events.join("") });
    });
    await page.getByRole("button", { name: "Search longer" }).click();
    await page.getByText(`Found a solution of ${length - 1} moves.`).waitFor();
    assert.equal(asked.at(-1).time_limit_ms, 30_000);
    assert.equal(await page.locator("#follow .moves button").count(), length - 1);
    events.pop();
    await page.getByRole("button", { name: "Search longer" }).click();
    await page.getByText("Found no shorter solution.").waitFor();
    assert.equal(await page.locator("#follow .moves button").count(), length - 1);
  });
});

test("solutions can be counted in turns of an axis, as soon as the service has the tables", async () => {
  await visit(browser, service, { expected: /503/ }, async (page) => {
    await paste(page, "R L2 U D' F B L");
    await solution(page);
    await page.getByText("Fewest moves", { exact: true }).click();
    await page.getByLabel("Counted in").selectOption("turns of an axis");
    await page.getByRole("button", { name: "List", exact: true }).click();
    const first = page.locator("#share li button").first();
    await first.waitFor({ timeout: 90_000 });
    const [, text, length] = /^(.*) \((\d+)\)$/.exec(await first.innerText()) ?? [];
    const moves = text.split(" ");
    const axes = moves.map((move) => ["UD", "RL", "FB"].findIndex((axis) => axis.includes(move[0])));
    assert.equal(Number(length), axes.filter((axis, at) => axis !== axes[at - 1]).length, text);
    await page.getByText(/No solution has fewer than \d+ turns of an axis/).waitFor();
    await first.click();
    assert.deepEqual(await page.locator("#follow .moves button").allInnerTexts(), moves);
  });
});

test("several solutions are listed, each of them can be followed", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, RANDOM);
    await solution(page);
    await page.getByText("Fewest moves", { exact: true }).click();
    await page.getByLabel("Number of solutions").selectOption("3");
    await page.getByRole("button", { name: "List", exact: true }).click();
    const items = page.locator("#share li button");
    const bound = page.locator("#share").getByText(/No solution has fewer than \d+ moves/);
    await bound.waitFor();
    const texts = await items.allInnerTexts();
    assert.equal(new Set(texts).size, texts.length);
    // A busy machine may find fewer in the time. Then the page says so.
    const told = await bound.innerText();
    assert(texts.length === 3 || told.startsWith(`Found ${texts.length} of 3.`), `${texts.length}: ${told}`);
    await items.last().click();
    const moves = await page.locator("#follow .moves button").allInnerTexts();
    assert.equal(`${moves.join(" ")} (${moves.length})`, texts.at(-1));
    const { violations } = await new AxeBuilder({ page }).analyze();
    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
    await shoot(page, "fewest");
  });
});

test("a solution of one's own is checked and compared", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByText("Fewest moves", { exact: true }).click();
    for (const [own, verdict] of [
      ["F' U'", "Your solution does not solve this cube."],
      ["F' U' R' D", "The cube is solved after 3 moves already. The rest is not needed."],
      ["F' Q", '"Q" is not a move'],
      ["F' (U') R'", "Your solution solves this cube in 3 moves, as many as the solution shown."],
      // A rotation counts nothing and a wide move one. Lw' x' is R'.
      ["F' U' Lw' x' // with a wide move", "Your solution solves this cube in 3 moves, as many as the solution shown."],
      ["F F F U' R'", "Your solution solves this cube in 5 moves, 2 more than the solution shown."],
    ]) {
      await page.getByLabel("Your solution").fill(own);
      await page.getByRole("button", { name: "Check my solution" }).click();
      await page.locator("#share").getByText(verdict).waitFor();
    }
    await page.getByRole("button", { name: "Follow it" }).click();
    assert.deepEqual(await page.locator("#follow .moves button").allInnerTexts(), ["F", "F", "F", "U'", "R'"]);
    await page.getByText("at least 3 needed").waitFor();
  });
});

test("without a table for proofs the page says how to get one", async () => {
  await visit(browser, service, {}, async (page) => {
    const text = page.getByText("superflip serve --optimal-table s");
    await paste(page, RANDOM);
    await page.getByText("Fewest moves", { exact: true }).click();
    await text.waitFor();
    assert.match(await page.locator("#share").innerText(), /41 MB/);
    const table = { metric: "htm", optimal: "s", status: "ready", bytes: 0 };
    await page.route("**/readyz", (route) => route.fulfill({ json: { status: "ready", sets: [table] } }));
    await page.reload();
    await solution(page);
    await page.getByText("Fewest moves", { exact: true }).click();
    await page.getByLabel("Your solution").waitFor();
    await eventually(async () => !(await text.isVisible()));
  });
});
