// Uses the service with the types that openapi-typescript generates: node client.js "R U F" [URL]. The environment variable API_KEY is
// the API key.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [cube = "", baseUrl = "http://127.0.0.1:8080"] = process.argv.slice(2);
const key = process.env.API_KEY;
const client = createClient<paths>({ baseUrl, headers: key ? { authorization: `Bearer ${key}` } : {} });

const solved = await client.POST("/solve", { body: { cube, target_length: 20 } });
if (solved.error) {
  const problem: components["schemas"]["Problem"] = solved.error;
  console.error(`${problem.code}: ${problem.detail}`);
  process.exit(1);
}
console.log(solved.data.solution);

const converted = await client.GET("/convert", { params: { query: { cube } } });
console.error(converted.data?.forms.facelets);

// Bodies that are not JSON name how they are read.
const picture = await client.GET("/image.png", { params: { query: { cube } }, parseAs: "arrayBuffer" });
const table = await client.GET("/tables/{name}/raw", { params: { path: { name: "twist_move" } }, parseAs: "arrayBuffer" });
assert.deepEqual([...new Uint8Array(picture.data!).slice(1, 4)], [0x50, 0x4e, 0x47]);
assert(table.data!.byteLength > 4096);

// A batch is text, not JSON, so it needs a content type and no serializer. Each line is read as it arrives.
const lines: components["schemas"]["BatchLine"][] = [{ cube }, { cube: "F2 B2" }];
const batch = await client.POST("/solve/batch", {
  body: lines.map((line) => JSON.stringify(line)).join("\n"),
  bodySerializer: (text) => text,
  headers: { "content-type": "application/x-ndjson" },
  parseAs: "stream",
});
const solutions: (string | undefined)[] = [];
let rest = "";
for await (const text of batch.data!.pipeThrough(new TextDecoderStream())) {
  const complete = (rest + text).split("\n");
  rest = complete.pop()!;
  for (const line of complete) {
    const answer: components["schemas"]["BatchAnswer"] = JSON.parse(line);
    solutions.push("solution" in answer ? answer.solution : undefined);
  }
}
assert(solutions.length === 2 && solutions[0] === solved.data.solution, `the batch has other solutions: ${solutions}`);
