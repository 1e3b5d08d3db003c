// The contract as a page: every operation is listed, and "try it" sends a request.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, Service, shoot, visit } from "../browser.mjs";

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

test("every operation is listed, and a request is sent from the page", async () => {
  const contract = await (await fetch(`${service.url}/openapi.json`)).json();
  const operations = Object.values(contract.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );
  assert(operations.length > 30);
  await visit(browser, service, { path: "/docs" }, async (page) => {
    await page.locator(`#${operations[0]}`).waitFor({ state: "attached" });
    for (const id of operations) assert.equal(await page.locator(`[id="${id}"]`).count(), 1, id);
    await shoot(page, "contract");
  });
  const context = { viewport: { width: 390, height: 844 } };
  await visit(browser, service, { path: "/docs", context }, async (page) => {
    const link = page.locator("#operation-list a").first();
    await link.waitFor({ state: "attached" });
    assert.equal(await link.isVisible(), false);
    await page.getByText("List of operations").click();
    assert.equal(await page.locator("#operation-list a:visible").count(), operations.length);
    await shoot(page, "contract-narrow");
    await page.locator('#operation-list a[href="#scramble"]').click();
    await page.locator("#scramble form").waitFor();
    assert.equal(await link.isVisible(), false);
  });
  // Not percent-encoded text: the page ignores it.
  await visit(browser, service, { path: "/docs#%" }, async (page) => {
    await page.locator(`#${operations[0]}`).waitFor({ state: "attached" });
    await page.evaluate(() => (location.hash = "%E0"));
  });
  await visit(browser, service, { path: "/docs#solve_query" }, async (page) => {
    const form = page.getByRole("form", { name: "Request GET /solve" });
    await form.locator('[id="solve_query.scramble"]').fill("R U F");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("F' U' R'").first().waitFor();
    await form.getByText("200").first().waitFor();
    await shoot(page, "contract-try");
  });
});
