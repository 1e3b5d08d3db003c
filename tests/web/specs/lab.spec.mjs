// A walk through the laboratory: coordinates that change, one coordinate downhill, the bounds of a solution, the histogram of a table.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SOLVED } from "../../../web/cube/cube.js";
import { launch, Service, shoot, visit } from "../browser.mjs";
import { eventually, paste, solution } from "../steps.mjs";

/** Texts of two lists whose boxes overlap by more than a pixel. @param {import("playwright-core").Locator} items */
const overlaps = (items) =>
  items.evaluateAll((nodes) => {
    const boxes = nodes.map((node) => ({ text: node.textContent, box: node.getBoundingClientRect() }));
    const meet = (/** @type {DOMRect} */ a, /** @type {DOMRect} */ b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return boxes.flatMap(({ text, box }, at) =>
      boxes
        .slice(0, at)
        .filter((other) => meet(box, other.box))
        .map((other) => `${other.text} and ${text}`),
    );
  });

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

test("coordinates change with the cube, and a walk downhill solves one", async () => {
  await visit(browser, service, { expected: /404/ }, async (page) => {
    await paste(page, "F");
    await solution(page);
    await page.getByRole("button", { name: "Laboratory" }).click();
    const row = (name) =>
      page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: new RegExp(`^${name}`) }) });
    const value = async (name) => (await row(name).first().locator("td").innerText()).trim();
    await row("twist").first().waitFor();
    // Published: Kociemba's twist of the cube after F.
    assert.equal(await value("twist"), "1236");
    await page.getByRole("toolbar", { name: "Turn the cube" }).getByRole("button", { name: "U", exact: true }).click();
    const expected = await (await fetch(`${service.url}/coords?scramble=F+U&names=flip`)).json();
    await eventually(async () => (await value("flip")) === String(expected.coordinates[0].value));
    await row("twist").first().getByRole("button").click();
    await page.getByRole("heading", { name: "twist" }).waitFor();
    await shoot(page, "laboratory");
    assert.deepEqual(await overlaps(page.locator(".dial button, .dial .circle small")), []);
    const labels = await page
      .locator(".dial button")
      .evaluateAll((nodes) => nodes.map((node) => [node.textContent ?? "", node.getAttribute("aria-label") ?? ""]));
    assert.equal(labels.length, 18);
    for (const [text, label] of labels) {
      assert.match(text, /^[URFDLB][2']? \d$/);
      assert(label.startsWith(`${text}, `), `${label} for ${text}`);
    }
    const downhill = page.getByRole("button", { name: /^Make the nearer move/ });
    const field = page.getByLabel("Value", { exact: true });
    for (let at = 0; at < 6; at += 1) {
      const before = await value("twist");
      await eventually(async () => (await field.inputValue()) === before);
      if (!(await downhill.isVisible())) break;
      await downhill.click();
      await eventually(async () => (await value("twist")) !== before);
    }
    assert.equal(await value("twist"), "0");
    await page.getByLabel("Compose").fill("comp(twist,nonsense)");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByText("Unknown coordinate nonsense").waitFor();
  });
});

test("the bounds of a solution and the histogram of a table are charts with text", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U2 F' L D B2 U' R2 F");
    const moves = await solution(page);
    await page.getByRole("button", { name: "Laboratory" }).click();
    await page.getByRole("tab", { name: "Solution" }).click();
    await page.getByText(`${moves.length} moves, `).waitFor();
    await page.getByText("The tables alone prove that every solution has at least").waitFor();
    // The rows are a heading, the start, and one for each move.
    const fourth = page.locator("#lab").getByRole("row").nth(5);
    await fourth.getByRole("button", { name: moves[3], exact: true }).click();
    await eventually(async () => (await fourth.getAttribute("aria-current")) === "step");
    await eventually(async () => /step=4/.test(await page.evaluate(() => location.hash)));
    await shoot(page, "laboratory-solution");
    await page.getByRole("tab", { name: "Tables" }).click();
    await page.getByLabel("Table", { exact: true }).waitFor();
    await page.getByLabel("Table", { exact: true }).selectOption("phase_one_residues");
    // Published: 476 of the 2 217 093 120 states of phase 1 are at twelve moves.
    await page.getByRole("img", { name: /, 12 moves: 476$/ }).waitFor();
    await page.getByText("2,217,093,120 states, at most 12 moves").waitFor();
    await page.getByText(/^\d+ tables of the profile small, [\d.]+ MB\./).waitFor();
    await page.getByText(/of 8 bits, 28.2 MB\./).waitFor();
    await shoot(page, "laboratory-tables");
    for (const table of await page.getByLabel("Table", { exact: true }).locator("option").all()) {
      const name = (await table.getAttribute("value")) ?? "";
      const answer = page.waitForResponse((response) => response.url().endsWith(`/tables/${name}`));
      await page.getByLabel("Table", { exact: true }).selectOption(name);
      await (await answer).finished();
      await page.waitForTimeout(100);
      assert.deepEqual(await overlaps(page.locator("#lab figure svg text")), [], name);
    }
  });
});

test("the guide explains a coordinate, a bound and the phases on the cube that is shown", async () => {
  await visit(browser, service, {}, async (page) => {
    await paste(page, "R U F");
    await solution(page);
    await page.getByRole("button", { name: "Laboratory" }).click();
    const guide = page.locator(".how");
    const coordinate = async () => {
      const { coordinates } = await (await fetch(`${service.url}/coords?${query}&names=twist`)).json();
      return coordinates[0].value;
    };
    let query = "scramble=R+U+F";
    await guide.getByText("The solver describes a cube by a few numbers").waitFor();
    await guide.getByRole("button", { name: "1. What is a coordinate?" }).click();
    await guide.getByText(`here it is ${await coordinate()}, of 0 to 2,186`).waitFor();
    await guide.getByRole("button", { name: "Turn the right face" }).click();
    query = "scramble=R+U+F+R";
    const turned = await coordinate();
    await guide.getByText(`here it is ${turned.toLocaleString("en")}, of`).waitFor();
    assert.equal(await guide.getByRole("button", { name: "Turn the right face" }).isVisible(), true);
    await guide.getByRole("button", { name: "2. What is a bound?" }).click();
    const { distance } = await (await fetch(`${service.url}/coords/twist/${turned}`)).json();
    await guide.getByText(`it is ${distance} move`).waitFor();
    await guide.getByRole("button", { name: /^Make the move . to a nearer twist|^Make the move .. to/ }).click();
    await guide.getByText(`it is ${distance - 1} move`).waitFor();
    await page.getByRole("button", { name: "Solve", exact: true }).click();
    await solution(page);
    await page.getByRole("button", { name: "Laboratory" }).click();
    await guide.getByRole("button", { name: "3. Why two phases?" }).click();
    await guide.getByText("19,508,428,800 cubes are left").waitFor();
    await guide.getByText(/The solution shown, along the axis \w\w: \d+ moves? of phase/).waitFor();
    assert.equal(await page.getByRole("tab", { name: "Solution" }).getAttribute("aria-selected"), "true");
    // Closed once, it stays closed.
    await guide.getByText("How the solver works").click();
    const isOpen = () => guide.evaluate((node) => /** @type {HTMLDetailsElement} */ (node).open);
    // The page learns of it a little later.
    await eventually(async () => !(await isOpen()));
    await page.reload();
    await guide.waitFor();
    assert.equal(await isOpen(), false);
  });
});

test("the laboratory asks for a whole cube", async () => {
  const path = `/#mode=lab&cube=${SOLVED.replace(/./g, (letter, at) => (at % 9 === 4 ? letter : "-"))}`;
  await visit(browser, service, { path, expected: /422/ }, async (page) => {
    await page
      .locator("#lab")
      .getByText("The laboratory needs a whole cube. Paint the other stickers first.")
      .first()
      .waitFor();
    assert.doesNotMatch(await page.locator("body").innerText(), /doubtful/);
  });
});
