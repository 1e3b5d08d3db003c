// Solves and converts a cube with the types that openapi-typescript generates: node client.js "R U F" [URL].
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const [cube = "", baseUrl = "http://127.0.0.1:8080"] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });

const solved = await client.POST("/solve", { body: { cube, target_length: 20 } });
if (solved.error) {
  const problem: components["schemas"]["Problem"] = solved.error;
  console.error(`${problem.code}: ${problem.detail}`);
  process.exit(1);
}
console.log(solved.data.solution);

const converted = await client.GET("/convert", { params: { query: { cube } } });
console.error(converted.data?.forms.facelets);
