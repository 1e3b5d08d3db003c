// A cube leaves the page: its address, the share sheet, a frame of another site, and paper.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, before, test } from "node:test";
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

test("the panel shows the address and opens the share sheet of the device", async () => {
  await visit(browser, service, {}, async (page) => {
    await page.addInitScript(() => {
      navigator.share = async (data) => void (/** @type {any} */ (window.shared = data));
    });
    await page.reload();
    await paste(page, "R U F");
    await solution(page);
    await page.getByText("Share and print").click();
    const field = page.getByLabel("Address");
    await eventually(async () => /#cube=\w{54}&solution=F-_U-_R-/.test(await field.inputValue()));
    // The panel does not wait for the address of the browser, which changes rarely.
    await page.getByRole("button", { name: "Next move", exact: true }).click();
    assert.match(await field.inputValue(), /step=1$/);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const shared = await page.evaluate(() => /** @type {any} */ (window).shared);
    assert.equal(shared.url, await field.inputValue());
    await shoot(page, "share");
  });
});

test("only listed sites may show the page in a frame", async () => {
  const school = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>school</title><iframe src="${request.url?.slice(2)}" width="900" height="600">`,
    );
  }).listen(0, "localhost");
  await once(school, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (school.address());
  const own = await Service.start({ SUPERFLIP_SERVER__FRAME_ANCESTORS: `http://localhost:${port}` });
  const page = await browser.newPage();
  try {
    await page.goto(`http://localhost:${port}/?${own.url}/`);
    const frame = page.frameLocator("iframe");
    await frame.locator("#box").fill("R U F");
    await frame.getByText("Turn the front face counterclockwise").first().waitFor();
    await page.goto(`http://localhost:${port}/?${service.url}/`);
    await page.waitForTimeout(1000);
    assert.equal(await frame.locator("#cube").count(), 0);
  } finally {
    await page.close();
    await own.stop();
    school.close();
  }
});

test("Ctrl P and the button print a sheet: holding, and for each move a box, an arrow and a sentence", async () => {
  await visit(browser, service, {}, async (page) => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
    await paste(page, "R U2 F");
    await solution(page);
    // The browser says so before it prints, however the user asked for it.
    await eventually(async () => {
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      return (await page.locator(".sheet").count()) === 1;
    });
    assert.equal(await page.locator("header nav").isVisible(), false);
    const sheet = page.locator(".sheet");
    await sheet.getByRole("heading", { name: "Solve this cube in 3 moves" }).waitFor();
    await sheet.getByText("Hold white on top and green in front.").waitFor();
    const items = sheet.locator("li");
    assert.equal(await items.count(), 4);
    for (const [at, words] of ["Turn the front face counterclockwise.", "Turn the top face twice."].entries()) {
      await items.nth(at).getByText(words).waitFor();
      assert.equal(await items.nth(at).locator(".tick i:visible").count(), 1);
      assert.equal(await items.nth(at).locator("svg .arrow").count(), 1);
    }
    assert.equal(await items.nth(3).locator("svg .arrow").count(), 0);
    // Dark text on white paper, also in the dark theme.
    const colour = await sheet.evaluate((node) => getComputedStyle(node).color);
    assert.equal(colour, "rgb(27, 28, 30)");
    await shoot(page, "print");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert.equal(await sheet.count(), 0);
    await page.emulateMedia({ media: "screen" });
    await page.evaluate(() => {
      window.print = () => void (document.body.dataset.printed = "yes");
    });
    await page.getByText("Share and print").click();
    await page.getByRole("button", { name: "Print", exact: true }).click();
    assert.equal(await page.evaluate(() => document.body.dataset.printed), "yes");
    await page.getByRole("button", { name: "Scramble", exact: true }).first().click();
    await page.locator("#scramble li button").first().waitFor();
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await sheet.getByRole("heading", { name: "Scrambles: 3x3x3" }).waitFor();
    assert.equal(await sheet.locator("li").count(), 5);
  });
});
