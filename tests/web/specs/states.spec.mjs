// States of the page and of the service: restart, key, narrow, dark, reduced motion, print, and accessibility in each.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import AxeBuilder from "@axe-core/playwright";
import { applyMoves } from "../../../web/cube/cube.js";
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

/** Fails if axe finds a violation. @param {import("playwright-core").Page} page @param {string} state */
async function accessible(page, state) {
  // A user who speaks the text that is seen reaches its control. The rule is off by default.
  const rules = { "label-content-name-mismatch": { enabled: true } };
  const { violations } = await new AxeBuilder({ page }).options({ rules }).analyze();
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  assert.deepEqual(told, [], state);
}

/** Loads the page as one without its own solver, which would answer in place of the service. @param {import("playwright-core").Page} page */
async function withoutSolver(page) {
  await page.route("**/local/*", (route) => route.abort());
  await page.reload();
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds no violation in any state, ${colorScheme}`, async () => {
    await visit(browser, service, { context: { colorScheme }, expected: /422/ }, async (page) => {
      await accessible(page, "empty");
      await shoot(page, `empty-${colorScheme}`);
      await paste(page, "R U F");
      await solution(page);
      await accessible(page, "solved");
      await shoot(page, `solved-${colorScheme}`);
      await page.getByRole("button", { name: "Paint it" }).click();
      await accessible(page, "painting");
      await page.fill("#box", `D${RUF.slice(1)}`);
      await page.locator("#problem").getByText("Why", { exact: true }).click();
      await page.locator("#problem").getByText("9 times").waitFor();
      await accessible(page, "impossible");
      await page.getByText("Share and print").click();
      await page.getByText("Colours", { exact: true }).click();
      await accessible(page, "sharing");
      await page.getByRole("button", { name: "Scramble", exact: true }).first().click();
      await page.locator("#scramble li button").first().click();
      await accessible(page, "scrambles");
      await page.getByRole("button", { name: "Laboratory" }).click();
      await page.getByText("twist", { exact: true }).first().waitFor();
      await page.locator(".dial button small").first().waitFor();
      await accessible(page, "laboratory");
      await page.keyboard.press("?");
      await accessible(page, "keys");
    });
    await visit(browser, service, { path: "/docs", context: { colorScheme } }, async (page) => {
      await page.getByText("/solve", { exact: true }).first().waitFor();
      await accessible(page, "contract");
    });
  });
}

test("a narrow screen shows everything without scrolling sideways", async () => {
  const context = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  await visit(browser, service, { context }, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    const cube = await page.locator("#cube").boundingBox();
    assert(cube && cube.y < 200 && cube.width > 250, JSON.stringify(cube));
    await page.getByRole("button", { name: "Next move", exact: true }).tap();
    await page.getByText("Turn the top face counterclockwise").first().waitFor();
    await shoot(page, "narrow");
    for (const mode of ["Scramble", "Laboratory"]) {
      await page.getByRole("button", { name: mode, exact: true }).first().tap();
      await page.waitForTimeout(500);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, mode);
      await shoot(page, `narrow-${mode.toLowerCase()}`);
    }
  });
});

test("on a narrow screen the colours stay in view beside the net, and the repair is below it", async () => {
  const context = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
  await visit(browser, service, { context, expected: /422/ }, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByRole("button", { name: "Paint it" }).tap();
    const box = async (selector) => {
      const found = await page.locator(selector).boundingBox();
      assert(found, selector);
      return found;
    };
    const [net, brushes] = [await box("#net"), await box(".brushes")];
    assert(net.y >= 0 && net.y + net.height <= brushes.y, `${JSON.stringify(net)} is not above the colours`);
    assert(brushes.y + brushes.height <= 701, JSON.stringify(brushes));
    await page.locator("#paint label", { has: page.locator('input[value="D"]') }).tap();
    await page.locator('#net [data-index="0"]').tap();
    await page.getByRole("button", { name: "Correct U1: white" }).waitFor();
    const [repair, tools] = [await page.locator("#problem button").first().boundingBox(), await box("#paint")];
    assert(repair && repair.y + repair.height <= tools.y, `${JSON.stringify(repair)} is below the colours`);
    // A tap right after the problem appeared would be ignored.
    await page.waitForTimeout(400);
    // An outline is measured in stickers here, and would cover the net.
    assert.equal(
      await page.locator('#net [data-index="0"]').evaluate((one) => getComputedStyle(one).outlineStyle),
      "none",
    );
    const [above, problem] = [await box("#net"), await box("#problem")];
    assert(problem.y > above.y + above.height - 1, "the problem is above the net");
    await shoot(page, "narrow-painting");
    await page.getByRole("button", { name: "Correct U1: white" }).tap();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });
});

test("dark and light follow the system, and can be chosen", async () => {
  await visit(browser, service, { context: { colorScheme: "dark" } }, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.locator("#theme").click();
    const light = await background();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await background(), light);
  });
});

test("with reduced motion a move is over at once", async () => {
  await visit(browser, service, { context: { reducedMotion: "reduce" } }, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    const started = Date.now();
    await page.keyboard.press("Escape");
    await page.keyboard.press(".");
    await eventually(async () => (await stickersOf(page)) !== RUF);
    assert(Date.now() - started < 5000);
  });
});

test("a part of the page that cannot be loaded says so, and is loaded when the service is back", async () => {
  const own = await Service.start();
  // Modes, what opens a part in them, its place, and something that it contains.
  const parts = [
    ["Laboratory", null, "#lab", "[role=tab]"],
    ["Scramble", null, "#scramble", "li button"],
    ["Solve", "summary >> text=Share and print", 'details:has-text("Share and print")', "#address"],
    ["Solve", "summary >> text=Fewest moves", 'details:has-text("Fewest moves")', "#solutions"],
    ["Solve", "text=Scan with the camera", "#camera", "dialog"],
  ];
  try {
    await visit(browser, own, { expected: /ERR_|50\d/ }, async (page) => {
      const open = (/** @type {string} */ mode) =>
        page.getByRole("button", { name: mode, exact: true }).first().click();
      await paste(page, "R U F");
      await solution(page);
      await own.stop();
      for (const [mode, opener, place] of parts) {
        await open(mode);
        if (opener) await page.locator(opener).click();
        const note = page.locator(`${place} .not-loaded`);
        await note.getByRole("button", { name: "Try again" }).click();
        await note.getByText("could not be loaded").waitFor();
        await accessible(page, `${place} without the service`);
        await shoot(page, `not-loaded-${place.replaceAll(/\W+/g, "-")}`);
      }
      await own.start();
      for (const [mode, , place, content] of parts) {
        await open(mode);
        const again = page.locator(`${place} .not-loaded button`);
        if (await again.isVisible()) await again.click();
        await page.locator(`${place} ${content}`).first().waitFor();
        assert.equal(await again.count(), 0);
      }
    });
  } finally {
    await own.stop();
  }
});

test("a restart of the service does not lose the cube", async () => {
  const own = await Service.start();
  try {
    await visit(browser, own, { expected: /ERR_|50\d/ }, async (page) => {
      await withoutSolver(page);
      await paste(page, "R U F");
      await solution(page);
      await own.stop();
      await page.locator("#box").fill("R U F2");
      await page.getByText("does not answer").waitFor();
      await shoot(page, "service-gone");
      assert.equal(await stickersOf(page), RUF);
      await page.keyboard.press("Escape");
      await page.keyboard.press(".");
      await page.getByText("Turn the top face counterclockwise").first().waitFor();
      await own.start();
      await page.locator("#notice").waitFor({ state: "hidden", timeout: 30_000 });
      assert.deepEqual(await solution(page), ["F2", "U'", "R'"]);
    });
  } finally {
    await own.stop();
  }
});

test("a solution that is followed stays when the service is back", async () => {
  const own = await Service.start();
  try {
    await visit(browser, own, { expected: /ERR_|50\d/ }, async (page) => {
      await withoutSolver(page);
      await paste(page, "R U F");
      await solution(page);
      await page.keyboard.press("Escape");
      await page.keyboard.press(".");
      await eventually(async () => (await stickersOf(page)) === applyMoves(RUF, ["F'"]));
      await own.stop();
      // The page notices it at its next request.
      await page.getByRole("button", { name: "Random cube" }).click();
      await page.getByText("does not answer").waitFor();
      await own.start();
      await page.locator("#notice").waitFor({ state: "hidden", timeout: 30_000 });
      assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
      assert.equal(await stickersOf(page), applyMoves(RUF, ["F'"]));
    });
  } finally {
    await own.stop();
  }
});

test("a key is asked for where the service requires one, and kept for the session only", async () => {
  // SHA-256 of `secret`.
  const digest = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";
  const own = await Service.start({ SUPERFLIP_ACCESS__KEYS: `page:${digest}` });
  try {
    await visit(browser, own, { expected: /401/ }, async (page) => {
      await page.fill("#box", "R U F");
      const key = page.getByLabel("API key");
      await key.waitFor();
      await shoot(page, "key-required");
      await key.fill("wrong");
      await key.press("Enter");
      await key.waitFor();
      await key.fill("secret");
      await key.press("Enter");
      assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
      await page.reload();
      assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
      assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes("secret")), false);
    });
  } finally {
    await own.stop();
  }
});
