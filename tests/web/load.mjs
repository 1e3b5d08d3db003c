// Measures the first visit of a page: requests, bytes on the wire with their headers, and times on a slow phone.
// Usage: node tests/web/load.mjs [URL]. With LIGHTHOUSE=1, npx downloads Lighthouse, which gives scores for a phone.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { launch, Service } from "./browser.mjs";

/** "Fast 3G" of Chromium's developer tools. The throughputs are in bytes per second. */
const FAST_3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };

/**
 * Visits a page with an empty cache, until a second has passed without a request.
 *
 * The times are in milliseconds since the start of the navigation: the first paint with content, and the first moment at which every
 * button of the page works.
 * @param {import("playwright-core").Browser} browser @param {string} url @param {{slow?: boolean, viewport?: any}} [options]
 */
export async function firstVisit(browser, url, { slow = false, viewport = { width: 390, height: 844 } } = {}) {
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const names = new Map();
    /** @type {{url: string, bytes: number}[]} */
    const files = [];
    let last = performance.now();
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      names.set(requestId, request.url);
      last = performance.now();
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      files.push({ url: names.get(requestId).replace(url, ""), bytes: encodedDataLength });
      last = performance.now();
    });
    await session.send("Network.enable");
    if (slow) {
      await session.send("Network.emulateNetworkConditions", FAST_3G);
      await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    }
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.documentElement?.hasAttribute("data-ready")) return;
        document.documentElement.dataset.readyAt = String(performance.now());
        observer.disconnect();
      }).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ready"] });
    });
    await page.goto(url);
    await page.locator("html[data-ready-at]").waitFor({ state: "attached" });
    while (performance.now() - last < 1000) await page.waitForTimeout(100);
    const ready = Number(await page.locator("html").getAttribute("data-ready-at"));
    const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    return { files, bytes: files.reduce((sum, file) => sum + file.bytes, 0), painted, ready };
  } finally {
    await context.close();
  }
}

/** Scores of Lighthouse for a phone, at most 100, by category. @param {string} url @returns {Record<string, number>} */
function scores(url) {
  const options = ["--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage"];
  const env = { ...process.env, CHROME_PATH: process.env.CHROMIUM ?? "/usr/bin/chromium" };
  const run = {
    env,
    encoding: /** @type {const} */ ("utf8"),
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "inherit"],
  };
  const { stdout } = spawnSync("npx", ["--yes", "lighthouse@12", url, ...options], run);
  const categories = Object.entries(JSON.parse(stdout).categories);
  return Object.fromEntries(categories.map(([name, { score }]) => [name, Math.round(100 * score)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const service = process.argv[2] ? null : await Service.start();
  const browser = await launch();
  try {
    const url = process.argv[2] ?? service.url;
    const { files, bytes } = await firstVisit(browser, url);
    for (const file of files) console.log(`${file.bytes}`.padStart(7), file.url);
    console.log(`${bytes}`.padStart(7), `bytes in ${files.length} requests`);
    for (let run = 0; run < 3; run += 1) {
      const { painted, ready } = await firstVisit(browser, url, { slow: true });
      console.log(`Fast 3G, CPU 4 times slower: first paint ${Math.round(painted)} ms, ready ${Math.round(ready)} ms`);
    }
    if (process.env.LIGHTHOUSE) for (const path of ["/", "/docs"]) console.log(path, scores(url + path));
  } finally {
    await browser.close();
    await service?.stop();
  }
}
