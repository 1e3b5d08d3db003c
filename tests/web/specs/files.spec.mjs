// The files as they are served, without comments, are the programs in `web/`.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { Service } from "../browser.mjs";

const folder = fileURLToPath(new URL("../../../web/", import.meta.url));
/** @type {Service} */ let service;
before(async () => {
  service = await Service.start();
});
after(() => service?.stop());

/** A program in one form, whatever its comments and line breaks are. @param {string} text */
function printed(text) {
  const { outputText, diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, removeComments: true },
  });
  assert.deepEqual(diagnostics, []);
  return outputText.replace(/\s+/g, " ");
}

test("scripts are served without comments, and with nothing else changed", async () => {
  const scripts = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(".js"));
  assert(scripts.length > 30);
  for (const path of scripts) {
    const served = await (await fetch(`${service.url}/web/${path}`)).text();
    const source = readFileSync(folder + path, "utf8");
    assert(served.length < source.length, path);
    assert.equal(printed(served), printed(source), path);
  }
});
