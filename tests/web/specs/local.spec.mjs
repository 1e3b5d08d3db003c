// The page solves cubes itself while the service is gone. Only a program that was built with BUILD_WASM has such a page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import AxeBuilder from "@axe-core/playwright";
import { applyMoves, parseMoves, SOLVED } from "../../../web/cube/cube.js";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { FORMS, RUF } from "../cubes.mjs";
import { eventually, paste, solution, stickersOf } from "../steps.mjs";

const SCRAMBLE = "D2 R' D' B' U L2 U2 L' R2 U' F2 L2 D L2 U R2 U' D' F2 L2 D";
/** What the console says of a service that is gone. */
const expected = /ERR_/;

/** @type {Service} */ let service;
/** @type {import("playwright-core").Browser} */ let browser;
/** Why the tests cannot run. @type {string | false} */
let missing = false;
before(async () => {
  service = await Service.start();
  const page = await fetch(service.url, { headers: { accept: "text/html" } }).then((answer) => answer.text());
  if (!page.includes('name="solver"')) missing = "the program was built without BUILD_WASM, so its page has no solver";
  assert(!missing || !process.env.BUILD_WASM, missing || "");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Fails unless moves solve a cube. @param {string} stickers @param {string[]} moves */
function solves(stickers, moves) {
  assert(moves.length > 0 && moves.length <= 21, moves.join(" "));
  assert.match(applyMoves(stickers, moves), /^(?:(\w)\1{8}){6}$/, moves.join(" "));
}

/** Waits until a page has loaded its solver. @param {import("playwright-core").Page} page */
const loaded = (page) => page.locator("html[data-solves]").waitFor({ state: "attached", timeout: 60_000 });

for (const width of [1280, 390]) {
  test(`a page solves cubes while the service is gone, ${width} pixels wide`, async (context) => {
    if (missing) return context.skip(missing);
    const own = await Service.start();
    context.after(() => own.stop());
    await visit(browser, own, { context: { viewport: { width, height: 800 } }, expected }, async (page) => {
      const notice = page.locator("#notice");
      await loaded(page);
      await own.stop();
      await paste(page, SCRAMBLE);
      const stickers = applyMoves(SOLVED, parseMoves(SCRAMBLE));
      assert.equal(await stickersOf(page), stickers);
      const moves = await solution(page);
      solves(stickers, moves);
      assert.match(await notice.innerText(), /does not answer.*solved the cube itself.*at most 21 moves/);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      const { violations } = await new AxeBuilder({ page }).analyze();
      assert.deepEqual(violations, []);
      await shoot(page, `solved-here-${width}`);
      for (const text of [FORMS.facelets, FORMS.colours, FORMS.ULFRBD, FORMS.digits, FORMS.net, "x R U F2 M"]) {
        await paste(page, "D");
        await paste(page, text);
        const own = await stickersOf(page);
        if (text !== "x R U F2 M") assert.equal(own, RUF, text);
        else assert.equal(own, applyMoves(SOLVED, parseMoves(text)));
        solves(own, await solution(page));
      }
      assert.match(await notice.innerText(), /solved the cube itself/);
      // A text in another form waits, and a turned cube is solved.
      await page.fill("#box", FORMS.nissy);
      await page.getByText("The text is read when the service answers").waitFor();
      await page.fill("#box", "");
      await page.getByRole("button", { name: "Random cube" }).click();
      await page.locator("#form", { hasText: "Read as a scramble" }).waitFor();
      const random = await stickersOf(page);
      solves(random, await solution(page));
      await page.keyboard.press("Escape");
      await page.keyboard.press("m");
      await eventually(async () => (await stickersOf(page)) !== random);
      solves(await stickersOf(page), await solution(page));
      // A cube that cannot exist is explained.
      await page.evaluate((cube) => (location.hash = `#cube=${cube}`), `D${RUF.slice(1)}`);
      await page.locator("#problem").getByText("8 white and 10 yellow stickers").waitFor();
      // The user follows a solution, and it stays when the service is back.
      await paste(page, SCRAMBLE);
      const followed = await solution(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press(".");
      await eventually(async () => (await stickersOf(page)) === applyMoves(stickers, followed.slice(0, 1)));
      await own.start();
      await notice.waitFor({ state: "hidden", timeout: 30_000 });
      assert.deepEqual(await solution(page), followed);
      assert.equal(await stickersOf(page), applyMoves(stickers, followed.slice(0, 1)));
      // Now the service reads and solves again.
      await paste(page, FORMS.nissy);
      assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    });
  });
}

test("a page solves cubes while a proxy answers for the service", async (context) => {
  if (missing) return context.skip(missing);
  await visit(browser, service, { expected: /50[234]/ }, async (page) => {
    await loaded(page);
    const notice = page.locator("#notice");
    for (const status of [502, 503, 504]) {
      await page.route("**/*", (route) =>
        route.fulfill({ status, contentType: "text/html", body: "<h1>Gateway</h1>" }),
      );
      await paste(page, SCRAMBLE);
      solves(await stickersOf(page), await solution(page));
      assert.match(await notice.innerText(), /does not answer.*solved the cube itself/);
      await page.unroute("**/*");
      await notice.waitFor({ state: "hidden", timeout: 30_000 });
      await paste(page, "D");
    }
  });
});

test("a path that a proxy refuses is asked for once a second", async (context) => {
  if (missing) return context.skip(missing);
  await visit(browser, service, { expected: /503/ }, async (page) => {
    await loaded(page);
    let requests = 0;
    await page.route("**/solve/stream", (route) => {
      requests += 1;
      return route.fulfill({ status: 503, contentType: "text/html", body: "busy" });
    });
    await paste(page, SCRAMBLE);
    solves(await stickersOf(page), await solution(page));
    await page.waitForTimeout(3000);
    assert(requests >= 1 && requests <= 8, `${requests} requests in three seconds`);
  });
});

test("a page whose solver could not be loaded waits for the service", async (context) => {
  if (missing) return context.skip(missing);
  const own = await Service.start();
  context.after(() => own.stop());
  await visit(browser, own, { expected }, async (page) => {
    await page.route("**/*.wasm", (route) => route.abort());
    const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith(".wasm"));
    await page.reload();
    await failed;
    await own.stop();
    await page.fill("#box", SCRAMBLE);
    await page.getByText("The text is read when the service answers").waitFor();
    await page.getByText("Your cube is kept, and the page reconnects").waitFor();
    await own.start();
    await page.locator("#notice").waitFor({ state: "hidden", timeout: 30_000 });
    solves(applyMoves(SOLVED, parseMoves(SCRAMBLE)), await solution(page));
  });
});
