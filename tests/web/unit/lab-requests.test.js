// Requests of the laboratory: only the newest answer counts, and failures that pass are tried again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { channel } from "../../../web/lab/parts.js";

/** A service that answers a path when it is told to. */
function service() {
  /** @type {{path: string, signal: AbortSignal, answer: (value: unknown) => void, fail: (error: unknown) => void}[]} */
  const open = [];
  const get = (path, _, { signal }) =>
    new Promise((answer, fail) => {
      open.push({ path, signal, answer, fail });
      signal.addEventListener("abort", () => fail(new DOMException("", "AbortError")));
    });
  /** @type {string[]} */
  const said = [];
  return { open, said, requests: channel({ get }, (sentence) => said.push(sentence), 5) };
}

/** @param {() => boolean} condition */
async function until(condition) {
  for (let at = 0; !condition(); at += 1) {
    assert.ok(at < 2000, "the condition never came true");
    await pause(2);
  }
}

test("requests in quick succession become one", async () => {
  const { open, requests } = service();
  const answers = [];
  for (const path of ["a", "b", "c"])
    requests.run(
      (ask) => ask.get(path),
      (answer) => answers.push(answer),
    );
  await until(() => open.length === 1);
  assert.equal(open[0].path, "c");
  open[0].answer(3);
  await until(() => answers.length === 1);
  await pause(20);
  assert.deepEqual([answers, open.length], [[3], 1]);
});

test("a newer request aborts the one in flight", async () => {
  const { open, said, requests } = service();
  const answers = [];
  requests.run(
    (ask) => ask.get("old"),
    (answer) => answers.push(answer),
  );
  await until(() => open.length === 1);
  requests.run(
    (ask) => ask.get("new"),
    (answer) => answers.push(answer),
  );
  await until(() => open.length === 2);
  assert.ok(open[0].signal.aborted && !open[1].signal.aborted);
  open[1].answer("new");
  await until(() => answers.length === 1);
  assert.deepEqual([answers, said], [["new"], [""]]);
});

test("a patient request waits for the one in flight and drops its answer", async () => {
  const { open, requests } = service();
  const answers = [];
  const run = (path) =>
    requests.run(
      (ask) => ask.get(path),
      (answer) => answers.push(answer),
      true,
    );
  run("old");
  await until(() => open.length === 1);
  run("between");
  run("new");
  await pause(30);
  assert.deepEqual([open.length, open[0].signal.aborted], [1, false]);
  open[0].answer("old");
  await until(() => open.length === 2);
  open[1].answer("new");
  await until(() => answers.length === 1);
  assert.deepEqual([answers, open.map(({ path }) => path)], [["new"], ["old", "new"]]);
});

test("a request is repeated while the service is busy, and not when it is refused", async () => {
  const { open, said, requests } = service();
  const answers = [];
  requests.run(
    (ask) => ask.get("path"),
    (answer) => answers.push(answer),
  );
  for (const [at, status] of [503, 0].entries()) {
    await until(() => open.length === at + 1);
    open[at].fail({ status, detail: `not now: ${status}`, retry_after_s: 0.01 });
  }
  await until(() => open.length === 3);
  open[2].answer("at last");
  await until(() => answers.length === 1);
  assert.deepEqual([answers, said], [["at last"], ["not now: 503", "not now: 0", ""]]);

  requests.run(
    (ask) => ask.get("path"),
    (answer) => answers.push(answer),
  );
  await until(() => open.length === 4);
  open[3].fail({ status: 422, detail: "expected an integer", retry_after_s: 0.01 });
  await pause(50);
  assert.deepEqual([open.length, answers.length, said.at(-1)], [4, 1, "expected an integer"]);
});

test("nothing arrives after the end", async () => {
  const { open, said, requests } = service();
  const answers = [];
  requests.run(
    (ask) => ask.get("path"),
    (answer) => answers.push(answer),
  );
  await until(() => open.length === 1);
  requests.stop();
  assert.ok(open[0].signal.aborted);
  requests.run(
    (ask) => ask.get("never"),
    (answer) => answers.push(answer),
  );
  requests.stop();
  await pause(30);
  assert.deepEqual([open.length, answers, said], [1, [], []]);
});
