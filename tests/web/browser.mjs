// Starts a service and a browser for the specs, and collects what a page may not do: errors, and requests to other hosts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = process.env.PROGRAM ?? `${root}target/release/superflip`;
const tables = process.env.PAGE_TABLES ?? `${root}target/tmp/tables`;
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const shots = process.env.SCREENSHOTS;

/** A service with the small tables. `stop` ends it, `start` starts it again on the same port. */
export class Service {
  /** @param {Record<string, string>} [variables] of the environment */
  static async start(variables = {}) {
    const service = new Service();
    service.port = await freePort();
    service.variables = variables;
    await service.start();
    return service;
  }

  get url() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @param {boolean} [ready] waits until the tables are loaded */
  async start(ready = true) {
    const options = ["serve", "--listen", `127.0.0.1:${this.port}`, "--profile", "small", "--tables-dir", tables];
    this.child = spawn(program, options, { env: { ...process.env, ...this.variables }, stdio: "ignore" });
    for (let attempt = 0; ready; attempt += 1) {
      assert(attempt < 600, "the service is not ready after a minute");
      assert(this.child.exitCode === null, `${program} ended; build it with: cargo build --release`);
      const status = await fetch(`${this.url}/readyz?profile=configured`)
        .then((response) => response.status)
        .catch(() => 0);
      if (status === 200) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    this.child.kill("SIGTERM");
    await once(this.child, "exit");
  }
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** @param {string[]} [args] further arguments of the browser */
export function launch(args = []) {
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", ...args] });
}

/**
 * Opens the page and gives it to `steps`. Fails on errors in the console, on uncaught errors, and on requests to another host.
 * @param {import("playwright-core").Browser} browser
 * @param {Service} service
 * @param {{path?: string, context?: object, expected?: RegExp}} options `expected` are console errors that belong to the test
 * @param {(page: import("playwright-core").Page) => Promise<void>} steps
 */
export async function visit(browser, service, { path = "/", context = {}, expected = null }, steps) {
  const session = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
  const faults = [];
  await session.addInitScript(shortenSearches);
  const page = await session.newPage();
  page.setDefaultTimeout(15_000);
  page.on("console", (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === "error" && !expected?.test(text)) faults.push(text);
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(service.url)) faults.push(request.url());
  });
  try {
    await page.goto(service.url + path);
    await steps(page);
    assert.deepEqual(faults, []);
  } catch (error) {
    if (faults.length) error.message += `\non the page: ${faults.join("\n")}`;
    await shoot(page, `failed-${Date.now()}`).catch(() => {});
    throw error;
  } finally {
    await session.close();
  }
}

/** Lets the searches that the page starts by itself take a second instead of five. Runs in the page. */
function shortenSearches() {
  const { fetch } = window;
  window.fetch = (to, options) => {
    const body = options?.body;
    if (typeof body !== "string") return fetch(to, options);
    return fetch(to, { ...options, body: body.replace('"time_limit_ms":5000', '"time_limit_ms":1000') });
  };
}

/** Writes a screenshot to the folder SCREENSHOTS, if it is set. */
export async function shoot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png` });
}
