// A cube is painted: the page says what to do next, reports no error before the cube is whole, and asks the service once.
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
after(() => Promise.all([service?.stop(), browser?.close()]));

/** @typedef {import("playwright-core").Page} Page */

/** @param {Page} page */
const startPainting = (page) => page.locator("#ways button", { hasText: "Paint" }).click();

/** @param {Page} page @param {string} colour */
const choose = (page, colour) =>
  page.locator("#paint label", { has: page.locator(`input[value="${colour}"]`) }).click();

/** @param {Page} page @param {number} index */
const click = (page, index) => page.locator(`#net [data-index="${index}"]`).click();

/** Paints faces colour by colour. @param {Page} page @param {string} faces @param {string} cube */
async function copy(page, faces, cube) {
  for (const face of faces) {
    const start = 9 * "URFDLB".indexOf(face);
    for (const colour of "URFDLB") {
      const places = [...Array(9).keys()].filter((cell) => cell !== 4 && cube[start + cell] === colour);
      if (places.length) await choose(page, colour);
      for (const cell of places) await click(page, start + cell);
    }
  }
}

/** Waits until a face is framed on the cube, which is turned so that the face is seen. @param {Page} page @param {string | null} face */
async function framed(page, face) {
  const frame = page.locator("#cube .ring.face");
  if (!face) return eventually(async () => !(await frame.getAttribute("points")));
  const start = 9 * "URFDLB".indexOf(face);
  await eventually(async () => {
    const boxes = await page
      .locator("#cube [data-index]:visible")
      .evaluateAll((nodes) =>
        nodes.map((node) => [Number(node.getAttribute("data-index")), node.getBoundingClientRect()]),
      );
    const around = await frame.boundingBox();
    const inside = boxes.filter(([, { left, right, top, bottom }]) => {
      if (!around) return false;
      const { x, y, width, height } = around;
      return left >= x - 1 && right <= x + width + 1 && top >= y - 1 && bottom <= y + height + 1;
    });
    const indices = inside.map(([index]) => index);
    return [...Array(9).keys()].every((cell) => indices.includes(start + cell));
  });
}

/** @param {Page} page */
const turned = async (page) => (await stickersOf(page)).replaceAll("?", "");

test("painting starts blank, leads from face to face without errors or requests, and ends with the solution", async () => {
  await visit(browser, service, {}, async (page) => {
    let requests = 0;
    page.on("request", (request) => (requests += Number(request.url().includes("/convert"))));
    await startPainting(page);
    assert.equal([...(await stickersOf(page))].filter((colour) => colour === "?").length, 48);
    const guide = page.locator("#paint .guide");
    await guide
      .getByText("Face 1 of 6: hold your cube with the green centre towards you and white above it.")
      .waitFor();
    await framed(page, "F");
    await shoot(page, "painting");
    await copy(page, "F", RUF);
    await guide.getByText("Face 2 of 6: hold your cube with the red centre towards you and white above it.").waitFor();
    await framed(page, "R");
    await copy(page, "R", RUF);
    await framed(page, "B");
    await copy(page, "B", RUF);
    await framed(page, "L");
    await page.waitForTimeout(300);
    assert.equal(requests, 0);
    assert.equal(await page.locator("#problem").isVisible(), false);
    // Neither keys nor drags turn a layer.
    const before = await turned(page);
    for (const key of ["M", "e", "x"]) await page.keyboard.press(key);
    const box = await page.locator('#cube [data-index="23"]').boundingBox();
    assert(box);
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 160, { steps: 5 });
    await page.mouse.up();
    await page.waitForTimeout(400);
    assert.equal(await turned(page), before);
    // The fourth face and a part of the fifth decide the rest.
    await copy(page, "L", RUF);
    const match = page.getByRole("button", { name: "They match" });
    for (let index = 0; !(await match.isVisible()) && index < 9; index += 1) {
      if (index === 4) continue;
      await choose(page, RUF[index]);
      await click(page, index);
      await page.waitForTimeout(250);
    }
    const sentence = await guide.getByText(/The page has filled in \d+ stickers, marked with a dot\./).innerText();
    assert.equal(requests, 1);
    await framed(page, null);
    await shoot(page, "painting-filled");
    await match.click();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await stickersOf(page), RUF);
    await page.locator('#ways button[aria-pressed="false"]', { hasText: "Paint" }).waitFor();
    // A tap right after the solution appeared would be ignored.
    await page.waitForTimeout(400);
    // Painting again forgets those that followed: they are wrong if a painted one is.
    await startPainting(page);
    const unpainted = (await stickersOf(page)).split("?").length - 1;
    assert.equal(unpainted, Number(/\d+/.exec(sentence)?.[0]));
  });
});

/** A cube, one sticker that is painted wrong, and the painted stickers from which another possible cube follows. */
const CUBE = "LRDFULRFFLBRDRBRRFBLUUFFLDBBBUUDBDLRFRDULRLFUFDDUBLUDB";
const MISTAKE = { at: 46, colour: "B", painted: "LRDFU????LBRDRBRRFBLUUFFLDB????D????FRDULRLFUFBDUBLUDB" };

test("stickers that the page filled in are compared before a solution is shown, and a mistake is found", async () => {
  await visit(
    browser,
    service,
    { path: `/#cube=${MISTAKE.painted.replaceAll("?", "-")}`, expected: /422/ },
    async (page) => {
      const guide = page.locator("#paint .guide");
      await guide.getByText("The page has filled in 12 stickers, marked with a dot.").waitFor();
      const dots = page.locator('#net [aria-label$="filled in"]');
      assert.equal(await dots.count(), 12);
      assert.equal(await page.locator("#net .sign", { hasText: "\u25cf" }).count(), 12);
      // Nothing is solved, and stickers and keys change nothing until the question is answered.
      const filled = await stickersOf(page);
      await click(page, 0);
      await page.locator("#cube").hover();
      await page.keyboard.press("2");
      await page.getByRole("button", { name: "Laboratory" }).click();
      await page.getByRole("button", { name: "Solve", exact: true }).click();
      await page.waitForTimeout(300);
      assert.equal(await stickersOf(page), filled);
      assert.equal(await page.locator("#follow .moves button").count(), 0);
      await page.getByRole("button", { name: "One is wrong" }).click();
      assert.equal(await dots.count(), 0);
      assert.equal(await stickersOf(page), MISTAKE.painted);
      await guide.getByText("Copy the other stickers too. Then the page can find the wrong one. Face 5 of 6").waitFor();
      // Now nothing is filled in, and the whole cube is off by the wrong sticker alone.
      await copy(page, "UD", [...CUBE].map((letter, at) => (MISTAKE.painted[at] === "?" ? letter : "-")).join(""));
      const repair = page.getByRole("button", { name: "Correct B2: yellow" });
      await repair.click();
      await solution(page);
      assert.equal(await stickersOf(page), CUBE);
    },
  );
});

test("undo after the start of painting shows the first screen, and undo of a filled cube goes on with painting", async () => {
  await visit(browser, service, {}, async (page) => {
    const heading = page.getByRole("heading", { name: "Solve my cube" });
    const position = () => heading.evaluate((node) => getComputedStyle(node).position);
    assert.equal(await position(), "static");
    const example = await stickersOf(page);
    await startPainting(page);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.equal(await stickersOf(page), example);
    assert.equal(await position(), "static");
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.keyboard.press("Control+y");
    assert.equal(await page.locator("#paint").isVisible(), true);
    await page.goto(`${service.url}/#cube=${MISTAKE.painted.replaceAll("?", "-")}`);
    await page.getByRole("button", { name: "They match" }).waitFor();
    await page.keyboard.press("Control+z");
    assert.equal(await stickersOf(page), MISTAKE.painted);
    assert.equal(await page.getByRole("button", { name: "They match" }).isVisible(), false);
  });
});

for (const [width, height] of [
  [1280, 800],
  [960, 540],
  [390, 844],
  [844, 390],
  [640, 400],
])
  test(`at ${width}x${height} the guide, the colours and the net are on the screen together`, async () => {
    const context = { viewport: { width, height }, hasTouch: width < 900 };
    await visit(browser, service, { context }, async (page) => {
      await startPainting(page);
      for (const part of [".guide", ".brushes", "#net", "#paint .row:not([hidden])"]) {
        const box = await page.locator(part).first().boundingBox();
        assert(box && box.y >= 0 && box.y + box.height <= height, `${part}: ${JSON.stringify(box)}`);
      }
      // The panel does not cover the net.
      for (const index of [0, 2, 27, 36, 53]) await page.locator(`#net [data-index="${index}"]`).click({ trial: true });
      const [panel, top] = [
        await page.locator("#paint").boundingBox(),
        await page.locator('#net [data-index="0"]').boundingBox(),
      ];
      assert(panel && top && (top.y >= panel.y + panel.height || top.y + top.height <= panel.y || top.x < panel.x));
    });
  });

test("on a phone nothing moves when stickers are filled in; then the cube is shown, and a late tap presses nothing", async () => {
  const context = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  await visit(browser, service, { context }, async (page) => {
    await startPainting(page);
    await copy(page, "FRB", RUF);
    await copy(page, "L", RUF);
    const boxes = () => Promise.all(["#net", ".brushes"].map((part) => page.locator(part).boundingBox()));
    const before = await boxes();
    const match = page.getByRole("button", { name: "They match" });
    for (let index = 0; !(await match.isVisible()) && index < 9; index += 1) {
      if (index === 4) continue;
      await choose(page, RUF[index]);
      await click(page, index);
      await page.waitForTimeout(250);
    }
    assert.deepEqual(await boxes(), before);
    // The solution appears under a finger that taps again.
    await page.evaluate(() => {
      const pressed = (/** @type {Event} */ event) => (document.body.dataset.pressed = String(event.target));
      new MutationObserver(() => {
        if (document.body.hasAttribute("data-painting")) return;
        for (const button of document.querySelectorAll("#follow button, #ways button")) {
          button.addEventListener("click", pressed);
          button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
        }
      }).observe(document.body, { attributes: true, attributeFilter: ["data-painting"] });
    });
    await match.tap();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.evaluate(() => document.body.dataset.pressed), undefined);
    for (const part of ["#cube", "#follow .instruction"]) {
      const box = await page.locator(part).boundingBox();
      assert(box && box.y >= 0 && box.y + box.height <= 844, `${part}: ${JSON.stringify(box)}`);
    }
    await page.waitForTimeout(400);
    await page.getByRole("button", { name: "Next move", exact: true }).tap();
    await page.locator("#follow .lengths").getByText("1 of").waitFor();
  });
});

test("a wrong cube is explained when it is whole; before that only a colour on more than nine stickers", async () => {
  await visit(browser, service, { expected: /422/ }, async (page) => {
    await startPainting(page);
    const guide = page.locator("#paint .guide");
    // White next to yellow on an edge: no cube has it, but more stickers may be painted.
    await choose(page, "D");
    await click(page, 19);
    await choose(page, "U");
    for (const index of [0, 1, 2, 3, 5, 6, 7, 8]) await click(page, index);
    await page.waitForTimeout(300);
    assert.equal(await page.locator("#problem").isVisible(), false);
    await click(page, 9);
    await guide.getByText("10 stickers are white. A cube has 9 of each colour.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await guide.getByText("Face 1 of 6").waitFor();
    // The rest by keys: a colour paints the sticker under the cursor and goes to the next one.
    await page.locator('#net [data-index="0"]').focus();
    for (const colour of `D${RUF.slice(1)}`) await page.keyboard.press(String("URFDLB".indexOf(colour) + 1));
    await page.locator("#problem").getByText("8 white and 10 yellow stickers.").waitFor();
    assert.equal(await page.locator("#paint").isVisible(), true);
    await choose(page, "U");
    await click(page, 0);
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.locator("#cube .body.next").first().waitFor();
  });
});

test("colours have names, and letters are those of the faces, which are explained", async () => {
  await visit(browser, service, {}, async (page) => {
    await startPainting(page);
    const brushes = await page.locator("#paint .brush").allInnerTexts();
    assert.deepEqual(
      brushes.map((text) => text.replace(/\s+/g, " ").trim()),
      ["white 1", "red 1", "green 1", "yellow 1", "orange 1", "blue 1", "erase 48"],
    );
    await page.locator("#faces").getByText("U top, R right, F front, D bottom, L left, B back.").waitFor();
    assert.deepEqual(await page.locator("#net .sign").allTextContents(), [..."URFDLB"]);
    await page.getByText("Colours", { exact: true }).click();
    await page.getByLabel("Show the first letter of each colour on its stickers").check();
    assert.deepEqual(await page.locator("#net .sign").allTextContents(), [..."WRGYOB"]);
  });
});

test("stickers are counted, and undone one by one", async () => {
  await visit(browser, service, {}, async (page) => {
    await startPainting(page);
    const counter = page.locator("#paint label", { has: page.locator('input[value="U"]') });
    assert.match(await counter.innerText(), /\b1\b/);
    await counter.click();
    await click(page, 0);
    assert.match(await counter.innerText(), /\b2\b/);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.match(await counter.innerText(), /\b1\b/);
    await page.getByRole("button", { name: "Redo" }).click();
    assert.match(await counter.innerText(), /\b2\b/);
  });
});

test("a paste ends painting, and undo leads back to it", async () => {
  await visit(browser, service, {}, async (page) => {
    await startPainting(page);
    await choose(page, "R");
    await click(page, 0);
    await paste(page, "R U F");
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.locator("#paint").isVisible(), false);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+z");
    assert.equal(await page.locator("#paint").isVisible(), true);
    assert.equal((await stickersOf(page)).slice(0, 5), "R???U");
  });
});

test("a request over the rate limit is sent again after Retry-After, without a word", async () => {
  await visit(browser, service, { expected: /429/ }, async (page) => {
    let refused = 0;
    await page.route("**/convert?*", async (route) => {
      if (refused++) return route.continue();
      await route.fulfill({
        status: 429,
        headers: { "retry-after": "1", "content-type": "application/problem+json" },
        body: JSON.stringify({ status: 429, code: "rate_limited", detail: "Rate limit exceeded.", retry_after_s: 1 }),
      });
    });
    await page.fill("#box", "R U F");
    await eventually(async () => refused === 1);
    assert.equal(await page.locator("#problem").isVisible(), false);
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert(refused > 1);
  });
});
