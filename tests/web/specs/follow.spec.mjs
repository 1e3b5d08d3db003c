// A solution arrives, gets shorter, is followed move by move, and is shared by its address.
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
after(async () => {
  await browser?.close();
  await service?.stop();
});

const SOLVED = "URFDLB".replace(/./g, (face) => face.repeat(9));

/** Ten moves from solved, so that a proof needs no table. */
const NEAR = "R U2 F' L D B2 U' R2 F";

test("a solution gets shorter as it arrives, until it is proven", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, NEAR);
    const moves = await solution(page);
    assert.equal(moves.length, 9);
    await page.getByText("proven shortest").waitFor();
    // A random cube: the length falls while the search goes on, and the lower bound is shown.
    await paste(page, "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B");
    const text = page.locator("#follow .lengths");
    await eventually(async () => /at least \d+ needed/.test(await text.innerText()));
    await eventually(async () => /moves/.test(await text.innerText()));
    await solution(page);
    assert.equal(await page.locator("#follow .log ol").isVisible(), false);
    await page.getByText("Search log").click();
    const log = await page.locator("#follow .log ol").innerText();
    const lengths = [...log.matchAll(/(\d+)(?: moves)? after/g)].map(([, length]) => Number(length));
    assert(lengths.length > 0, log);
    assert.deepEqual(
      lengths,
      [...lengths].sort((a, b) => b - a),
      log,
    );
  });
});

test("clicks in one place go on, although the search ends with the first of them", async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ])
    await visit(browser, service, { viewport }, async (page) => {
      await paste(page, "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B");
      await page.getByRole("button", { name: "Stop the search" }).waitFor();
      const next = page.getByRole("button", { name: "Next move" });
      await eventually(() => next.isEnabled());
      await next.scrollIntoViewIfNeeded();
      const box = await next.boundingBox();
      assert(box);
      for (let step = 1; step <= 3; step += 1) {
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.locator("#follow .lengths").getByText(`${step} of`).waitFor();
      }
    });
});

test("a solution may get shorter until the first step, and the page says so beside the move", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B");
    const searching = page.locator("#follow .lead").getByText("Still looking for a shorter solution");
    await searching.waitFor();
    await page.getByRole("button", { name: "Next move", exact: true }).click();
    await searching.waitFor({ state: "hidden" });
    const moves = await page.locator("#follow .moves button").allInnerTexts();
    // A search would find shorter solutions for five seconds.
    await page.waitForTimeout(5500);
    assert.deepEqual(await page.locator("#follow .moves button").allInnerTexts(), moves);
  });
});

for (const [width, height] of [
  [1280, 800],
  [390, 844],
])
  test(`the button for the next move is the largest and has its name on it, ${width}x${height}`, async () => {
    await visit(browser, service, { context: { viewport: { width, height } } }, async (page) => {
      await paste(page, "R U F");
      await solution(page);
      const next = page.locator("#follow button", { hasText: "Next move" });
      const area = async (/** @type {import("playwright-core").Locator} */ button) => {
        const box = await button.boundingBox();
        return (box?.width ?? 0) * (box?.height ?? 0);
      };
      const others = await page.locator("#follow button:visible").all();
      const areas = await Promise.all(others.map(area));
      assert.equal(areas.filter((one) => one >= 8000).length, 1, areas.join());
      assert.equal(Math.max(...areas), await area(next));
    });
  });

test("a proof is offered only if the service has a table for it, and the button says why it waits", async () => {
  await visit(browser, service, {}, async (page) => {
    const random = "D L2 B2 L2 U F2 R2 D' B2 U F2 L D' R2 F D U R U' F2 R' D2 L B";
    await paste(page, random);
    await solution(page);
    assert.equal(await page.locator("#follow > .row > button").isVisible(), false);
    const table = { metric: "htm", optimal: "s", status: "starting", bytes: 0, progress: { permille: 400 } };
    await page.route("**/readyz", (route) => route.fulfill({ json: { status: "ready", sets: [table] } }));
    await page.reload();
    await page.getByRole("button", { name: "Table for proofs: 40 %" }).waitFor();
    table.status = "ready";
    const proof = page.getByRole("button", { name: "Prove it is shortest" });
    await proof.waitFor();
    assert.equal(await proof.isEnabled(), true);
  });
});

test("a solution is followed: step, play, scrub, and a click on a move", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    const button = (name) => page.getByRole("button", { name, exact: true });
    await page.getByText("Turn the front face counterclockwise").first().waitFor();
    await page.locator("#follow").getByText("Hold white on top and green in front.").waitFor();
    await shoot(page, "following");
    await button("Next move").click();
    await page.getByText("Turn the top face counterclockwise").first().waitFor();
    await page.locator("#follow .instruction").getByText("Its front edge moves to the right").waitFor();
    assert.match(await page.locator("#follow .lengths").innerText(), /^1 of 3 moves/);
    await page.locator("#follow .moves button").nth(2).click();
    await page.getByText("Turn the right face counterclockwise").first().waitFor();
    await button("Next move").click();
    await page.getByText("The cube is solved").first().waitFor();
    await eventually(async () => (await stickersOf(page)) === SOLVED);
    await page.getByLabel("Moves made").fill("0");
    await eventually(async () => (await stickersOf(page)) === RUF);
    await page.getByLabel("Speed").selectOption("Fast");
    await button("Play").click();
    await eventually(async () => (await stickersOf(page)) === SOLVED);
  });
});

test("the length or the next move can be shown without the rest", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByLabel("What to show").selectOption("next");
    assert.deepEqual(await page.locator("#follow .moves button").allInnerTexts(), ["F'"]);
    await page.getByLabel("What to show").selectOption("length");
    assert.equal(await page.locator("#follow .moves button").count(), 0);
    assert.match(await page.locator("#follow .lengths").innerText(), /3 moves/);
    assert.doesNotMatch(await page.locator("#follow").innerText(), /counterclockwise/);
  });
});

test("the address holds the cube and the solution", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByRole("button", { name: "Next move", exact: true }).click();
    const stickers = await stickersOf(page);
    await eventually(async () => /cube=.*solution=.*step=1/.test(page.url()));
    const address = page.url();
    const other = await page.context().newPage();
    await other.goto(address);
    await eventually(async () => (await stickersOf(other)) === stickers);
    assert.deepEqual(await other.locator("#follow .moves button").allInnerTexts(), ["F'", "U'", "R'"]);
    await page.getByText("Share and print").click();
    const link = page.getByRole("link", { name: "alg.cubing.net" });
    assert.match((await link.getAttribute("href")) ?? "", /setup=R_U_F.*alg=F-_U-_R-/);
  });
});

test("everything works by keyboard alone", async () => {
  await visit(browser, service, {}, async (page) => {
    await page.keyboard.press("/");
    await page.keyboard.type("R U F");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await solution(page);
    await page.keyboard.press(".");
    await page.getByText("Turn the top face counterclockwise").first().waitFor();
    await page.keyboard.press(",");
    await page.getByText("Turn the front face counterclockwise").first().waitFor();
    await page.keyboard.press("Space");
    await eventually(async () => (await stickersOf(page)) === SOLVED);
    // Letters turn faces: R, then the other direction with Shift, then a half turn.
    await page.keyboard.press("r");
    await eventually(async () => (await stickersOf(page)) !== SOLVED);
    await page.keyboard.press("Shift+R");
    await eventually(async () => (await stickersOf(page)) === SOLVED);
    await page.keyboard.press("u");
    await page.keyboard.press("2");
    assert.deepEqual(await solution(page), ["U2"]);
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    // Every control is reached by Tab, and is marked when it has the focus.
    const seen = new Set();
    for (let at = 0; at < 80; at += 1) {
      await page.keyboard.press("Tab");
      const { name, marked } = await page.evaluate(() => {
        const element = /** @type {Element} */ (document.activeElement);
        const { outlineStyle, boxShadow, strokeWidth } = getComputedStyle(element);
        const outlined = outlineStyle !== "none" || boxShadow !== "none";
        // Outlines in a picture are measured in its unit and would cover it, so stickers have a broad stroke instead.
        const marked = element instanceof SVGElement ? !outlined && parseFloat(strokeWidth) > 0.1 : outlined;
        // After the last control the focus leaves the page for a moment.
        const name = element === document.body ? "" : (element.getAttribute("aria-label") ?? element.textContent ?? "");
        return { name, marked };
      });
      seen.add(name.trim());
      if (name) assert(marked, name);
    }
    for (const name of ["Paint it", "Scan with the camera", "Next move", "Laboratory", "Share and print"])
      assert(seen.has(name), name);
  });
});

test("undo of a move returns to the place in the solution", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByRole("button", { name: "Next move", exact: true }).click();
    const stickers = await stickersOf(page);
    await page.keyboard.press("d");
    await page.getByText("The cube has changed since this text was read.").waitFor();
    await eventually(async () => (await solution(page)).join(" ") !== "F' U' R'");
    await page.keyboard.press("Control+z");
    await page.getByText("Read as a scramble.").waitFor();
    assert.deepEqual(await solution(page), ["F'", "U'", "R'"]);
    assert.equal(await page.locator("#follow .moves [aria-current]").innerText(), "U'");
    assert.equal(await stickersOf(page), stickers);
  });
});

/** Drags a sticker of the cube upwards. @param {import("playwright-core").Page} page */
async function drag(page) {
  const box = await page.locator('#cube [data-index="20"]').first().boundingBox();
  assert(box);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const by of [60, 140]) await page.mouse.move(x, y - by, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(500);
}

test("while a solution is followed a drag only looks, and another move can be undone by a button", async () => {
  await visit(browser, service, {}, async (page) => {
    const moves = () => page.locator("#follow .moves button").allInnerTexts();
    const next = page.getByRole("button", { name: "Next move", exact: true });
    await paste(page, "R U F");
    await solution(page);
    for (const step of [0, 1]) {
      const stickers = await stickersOf(page);
      await drag(page);
      await page.getByRole("button", { name: "Reset view" }).click();
      assert.equal(await stickersOf(page), stickers);
      assert.deepEqual(await moves(), ["F'", "U'", "R'"]);
      if (step === 0) await next.click();
    }
    const stickers = await stickersOf(page);
    const undo = page.locator("#undo");
    assert.equal(await undo.isVisible(), false);
    await page.keyboard.press("d");
    await eventually(async () => (await moves()).join(" ") !== "F' U' R'");
    assert.equal(await undo.innerText(), "Undo D");
    // A cube that is turned on the page can be turned on.
    await solution(page);
    await drag(page);
    assert.equal(await undo.innerText(), "Undo R");
    await undo.click();
    await undo.getByText("Undo D").click();
    assert.equal(await undo.isVisible(), false);
    assert.equal(await stickersOf(page), stickers);
    assert.deepEqual(await moves(), ["F'", "U'", "R'"]);
    assert.equal(await page.locator("#follow .moves [aria-current]").innerText(), "U'");
  });
});

test("the moves stop playing when another mode opens", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, NEAR);
    await solution(page);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Laboratory" }).click();
    const stickers = await stickersOf(page);
    await page.waitForTimeout(1200);
    assert.equal(await stickersOf(page), stickers);
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  });
});

test("a dragged sticker turns its layer, and a drag beside the cube rotates it", async () => {
  await visit(browser, service, { path: `/#cube=${SOLVED}` }, async (page) => {
    const shape = page.locator('#cube [data-index="20"]').first();
    const box = await shape.boundingBox();
    assert(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 60, { steps: 5 });
    await page.mouse.move(x, y - 140, { steps: 5 });
    await page.mouse.up();
    await page.locator("#follow .moves button").first().waitFor();
    assert.deepEqual(await solution(page), ["R'"]);
    const before = await shape.boundingBox();
    const stage = await page.locator("#cube").boundingBox();
    assert(stage);
    await page.mouse.move(stage.x + 10, stage.y + 110);
    await page.mouse.down();
    await page.mouse.move(stage.x + 90, stage.y + 130, { steps: 5 });
    await page.mouse.up();
    assert.notDeepEqual(await shape.boundingBox(), before);
    assert.deepEqual(await solution(page), ["R'"]);
  });
});

test("the stickers of the cube are at least 54 shapes in the document, and the net names them", async () => {
  await visit(browser, service, {}, async (page) => {
    assert((await page.evaluate(() => document.querySelectorAll("polygon, path").length)) >= 54);
    const names = await page
      .locator("#net [data-index]")
      .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("aria-label")));
    assert.equal(new Set(names).size, 54);
    assert(names.includes("U1 white"), names.join(", "));
    assert.deepEqual(await page.locator("#net .sign").allTextContents(), [..."URFDLB"]);
    assert.equal(await page.locator("#cube .sign").count(), 0);
  });
});
