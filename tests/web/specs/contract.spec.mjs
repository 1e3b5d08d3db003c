// The contract as a page: every operation can be found, read and sent, and its curl command does what its form does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { launch, Service, shoot, visit } from "../browser.mjs";

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
/** Operation ids of the contract. @type {string[]} */ let ids;
before(async () => {
  service = await Service.start();
  browser = await launch();
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
  ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

async function open(page, id) {
  await page.evaluate((hash) => (location.hash = hash), id);
  await page.locator(`#${id} form`).waitFor();
}

/** Sends the form of an operation and returns the status of its answer. */
async function send(page, id) {
  await page.locator(`#${id} .send .primary`).click();
  return page.locator(`#${id} .answer strong`).innerText();
}

const curlOf = (page, id) => page.locator(`#${id} .shell code`).innerText();

/** Runs a command of the page in a shell, and returns the answer. */
function run(command, env = {}) {
  return JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf8", env: { ...process.env, ...env } }));
}

test("every operation opens, fits a narrow screen, and its example is answered", async () => {
  const options = { path: "/docs", context: { viewport: { width: 390, height: 844 } }, expected: /400/ };
  await visit(browser, service, options, async (page) => {
    await page.locator(".operation").first().waitFor();
    for (const id of ids) {
      await open(page, id);
      // twips needs the definition of a puzzle, which is too long for an example.
      assert.equal(await send(page, id), id === "solve_twips" ? "400 Bad Request" : "200 OK", id);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, id);
    }
    // Schemas contain one another, so they open level by level.
    for (let level = 0; level < 5; level += 1) {
      await page.$$eval("details.fold:not([open])", (all) => all.forEach((fold) => (fold.open = true)));
      await page.waitForTimeout(100);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const repeated = await page.$$eval("[id]", (all) => all.length - new Set(all.map(({ id }) => id)).size);
    assert.equal(repeated, 0, "ids are unique");
  });
});

test("the filter finds operations by path, word and error code, with the keyboard alone", async () => {
  await visit(browser, service, { path: "/docs" }, async (page) => {
    await page.locator(".operation").first().waitFor();
    const visible = () =>
      page.$$eval(".operation", (all) => all.filter((one) => one.checkVisibility()).map(({ id }) => id));
    assert.equal((await visible()).length, ids.length);
    await page.keyboard.press("/");
    await page.keyboard.type("overloaded batch");
    assert.deepEqual(await visible(), ["solve_batch"]);
    assert.equal(await page.locator("#filter-count").innerText(), `1 of ${ids.length} operations`);
    await page.keyboard.press("Enter");
    await page.locator("#solve_batch form").waitFor();
    assert.equal(new URL(page.url()).hash, "#solve_batch");
    await page.keyboard.press("/");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("no such words");
    assert.deepEqual(await visible(), []);
    // A link to a hidden operation shows it.
    await open(page, "scramble");
    assert.equal((await visible()).length, ids.length);
  });
});

test("a request has exactly one form of the cube, and shared options are listed once", async () => {
  await visit(browser, service, { path: "/docs#solve" }, async (page) => {
    await page.locator("#solve form").waitFor();
    const all = await page.locator("#solve .body > div > div > .members > li > .name").allInnerTexts();
    assert.deepEqual(all.slice(0, 5), ["cube", "facelets", "scramble", "cubies", "colors"]);
    assert.equal(new Set(all).size, all.length);
    assert(all.includes("target_length") && all.includes("optimal"), all.join());
  });
});

test("the curl command does what the form does", async () => {
  await visit(browser, service, { path: "/docs#solve" }, async (page) => {
    await page.locator("#solve textarea").fill('{"scramble": "R U\' F2"}');
    const answer = run(await curlOf(page, "solve"));
    assert.deepEqual(answer.moves, ["F2", "U", "R'"]);
    assert.equal(await send(page, "solve"), "200 OK");
    assert.deepEqual(JSON.parse(await page.locator("#solve .answer pre").innerText()).moves, answer.moves);
    await page.locator("#solve select").first().selectOption({ label: "A scramble" });
    assert.deepEqual(run(await curlOf(page, "solve")).moves, ["U", "R", "U'", "R'"]);
    await open(page, "coordinate");
    await page.fill('[id="coordinate.name"]', "comp(twist,slice)");
    assert.equal(run(await curlOf(page, "coordinate")).name, "comp(twist,slice)");
    await open(page, "table_verify");
    assert.equal(run(await curlOf(page, "table_verify")).sound, true);
  });
});

test("lines of a stream are shown while they arrive, and a stream can be stopped", async () => {
  await visit(browser, service, { path: "/docs#solve_stream" }, async (page) => {
    // The shortest solution of this cube has 20 moves, which is not proven before the time limit.
    const superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    await page.locator("#solve_stream textarea").fill(JSON.stringify({ scramble: superflip, time_limit_ms: 30_000 }));
    await page.locator("#solve_stream .send .primary").click();
    await page.locator("#solve_stream .lines", { hasText: "event: solution" }).waitFor();
    assert.equal(await page.locator("#solve_stream .lines", { hasText: "event: result" }).count(), 0);
    await shoot(page, "docs-stream");
    await page.locator("#solve_stream .send button", { hasText: "Stop" }).click();
    await page.locator("#solve_stream .answer", { hasText: "Stopped." }).waitFor();
    await open(page, "solve_batch");
    assert.equal(await send(page, "solve_batch"), "200 OK");
    await page.locator("#solve_batch .answer", { hasText: "ended after" }).waitFor();
    const lines = await page.locator("#solve_batch .lines code").allInnerTexts();
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).line),
      [1, 2],
    );
  });
});

test("a key is sent with requests, and the curl command does not reveal it", async () => {
  const key = "a-secret-of-this-test";
  const digest = createHash("sha256").update(key).digest("hex");
  const locked = await Service.start({ SUPERFLIP_ACCESS__KEYS: `docs:${digest}` });
  try {
    await visit(browser, locked, { path: "/docs#moves", expected: /401/ }, async (page) => {
      await page.locator("#moves form").waitFor();
      assert.equal(await send(page, "moves"), "401 Unauthorized");
      assert.match(await page.locator("#moves .answer pre").innerText(), /missing_key/);
      await page.fill("#api-key", key);
      await page.locator("#moves .send .primary").click();
      await page.locator("#moves .answer strong", { hasText: "200 OK" }).waitFor();
      const command = await curlOf(page, "moves");
      assert(!command.includes(key), command);
      assert.equal(run(command, { KEY: key }).moves.length, 18);
    });
  } finally {
    await locked.stop();
  }
});

test("a service that stops is reported", async () => {
  const own = await Service.start();
  await visit(browser, own, { path: "/docs#moves", expected: /ERR_CONNECTION/ }, async (page) => {
    await page.locator("#moves form").waitFor();
    await own.stop();
    await page.locator("#moves .send .primary").click();
    await page.locator("#moves .answer", { hasText: "does not answer" }).waitFor();
  });
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 390],
]) {
  test(`no accessibility faults: ${colorScheme}, ${width} pixels wide`, async () => {
    const context = { colorScheme, viewport: { width, height: 844 } };
    await visit(browser, service, { path: "/docs#solve", context }, async (page) => {
      await page.locator("#solve form").waitFor();
      await send(page, "solve");
      await open(page, "solve_query");
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)]),
        [],
      );
      await shoot(page, `docs-${colorScheme}`);
    });
  });
}
