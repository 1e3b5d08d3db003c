// The client, installed from its package, against a service. URL is the address of the service.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Superflip, SuperflipError, type Schemas } from "superflip";

const program = process.env.PROGRAM!;
let superflip: Superflip;
let url: string;
const service = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--profile", "tiny", "--log-format", "json"]);
before(async () => {
  url = await new Promise((resolve) => {
    let log = "";
    service.stderr.on("data", (chunk) => {
      log += chunk;
      const address = /"message":"listening","address":"([^"]*)"/.exec(log);
      if (address) resolve(`http://${address[1]}`);
    });
  });
  superflip = new Superflip(url);
});
after(() => service.kill());

/** The inverse of some moves, which is the solution of a short scramble. */
const inverse = (moves: string) =>
  moves
    .split(" ")
    .reverse()
    .map((move) => (move.endsWith("'") ? move.slice(0, -1) : move.endsWith("2") ? move : `${move}'`))
    .join(" ");

test("fields go to the path, the query and the body", async () => {
  const result: Schemas["SolveResult"] = await superflip.solve({ scramble: "R U F" });
  assert.equal(result.solution, inverse("R U F"));
  assert.deepEqual(await superflip.solveQuery({ scramble: "R U F", max_length: 3 }).then(({ length }) => length), 3);
  assert.equal((await superflip.coordinate({ name: "twist" })).name, "twist");
  const { scrambles } = await superflip.scramble({ count: 3 });
  assert.equal(scrambles.length, 3);
});

test("texts and files are what they are", async () => {
  assert.match(await superflip.imageSvg({ scramble: "R U" }), /^<svg/);
  const raw: Blob = await superflip.coordinateRaw({ name: "twist" });
  assert.ok(raw.size >= 2187);
  assert.match(await superflip.metrics(), /superflip_/);
});

test("a problem is an error with its document", async () => {
  const error = await superflip.solve({ facelets: "U".repeat(54) }).catch((error) => error);
  assert.ok(error instanceof SuperflipError);
  assert.equal(error.problem.status, 422);
  assert.ok(error.problem.violations?.length || error.message.length > 10);
  assert.equal(error.code, error.problem.code);
});

test("a stream yields events, and ends with the result", async () => {
  const names: string[] = [];
  for await (const { event, data } of superflip.solveStream({ scramble: "R U F D2 L B", time_limit_ms: 500 })) {
    names.push(event);
    if (event === "result") assert.equal((data as Schemas["SolveResult"]).length, 6);
  }
  assert.equal(names.at(-1), "result");
  assert.ok(names.includes("solution"));
});

test("a stream that is left ends its search, and a refused one is an error", async () => {
  for await (const _ of superflip.stepsStream({ scramble: "R U F D2 L B U2 R", steps: "EO > DR", time_limit_ms: 5000 }))
    break;
  const refused = superflip.solveStream({ scramble: "R Q" });
  await assert.rejects(refused.next(), (error: SuperflipError) => error.problem.status === 422);
});

test("a batch answers each line in order, with its problem or its solution", async () => {
  const lines = ["R U F", { id: "own", scramble: "F2" }, "R Q"];
  const answers: Schemas["BatchAnswer"][] = [];
  for await (const answer of superflip.solveBatch(lines)) answers.push(answer);
  assert.equal(answers.length, 3);
  assert.ok("solution" in answers[0]! && answers[0].solution === inverse("R U F"));
  assert.ok("solution" in answers[1]! && answers[1].id === "own");
  assert.ok("problem" in answers[2]!);
});

test("lines that arrive over time are answered meanwhile", async () => {
  let answered = 0;
  const seen: number[] = [];
  async function* lines() {
    for (let line = 0; line < 5; line++) {
      seen.push(answered);
      yield "R U F";
      // The next line comes once this one is answered.
      while (answered <= line) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  for await (const _ of superflip.solveBatch(lines())) answered++;
  assert.deepEqual(seen, [0, 1, 2, 3, 4]);
});

test("a call can be ended, and a key is sent", async () => {
  const ended = superflip.solve(
    { scramble: "R U F D2 L B U2 R F' D L2 B U R2 F", optimal: false, target_length: 0, time_limit_ms: 5000 },
    { signal: AbortSignal.timeout(50) },
  );
  await assert.rejects(ended, (error: Error) => error.name === "TimeoutError");
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Superflip(`http://127.0.0.1:${port}/`, { key: "secret" }).version();
  server.close();
  assert.deepEqual(seen, ["Bearer secret"]);
});

test("the examples of the README run", async () => {
  // The part about WebAssembly is run by its own test.
  const [text] = (await readFile(process.env.README!, "utf8")).split("\n## Without a service");
  const examples = [...text!.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => code).join("\n");
  const printed: unknown[] = [];
  const code = examples.replace(/^import .*$/gm, "").replace("http://localhost:8080", url);
  const run = new Function("Superflip", "SuperflipError", "console", `return (async () => {${code}})()`);
  await run(Superflip, SuperflipError, { log: (line: unknown) => printed.push(line) });
  assert.equal(printed[0], "F' U' R' (3 moves)");
  assert.equal(printed[1], "notation");
  assert.deepEqual(printed.slice(-2), ["F' U' R'", "F2"]);
});
