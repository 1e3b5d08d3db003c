// Writes the types of the contract, and the list of its operations.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import { parse } from "yaml";

const contract = parse(await readFile(new URL("../../openapi.yaml", import.meta.url), "utf8"));
await writeFile(new URL("src/contract.ts", import.meta.url), astToString(await openapiTS(contract)));

const resolve = ({ $ref, ...own }) =>
  $ref
    ? $ref
        .slice(2)
        .split("/")
        .reduce((node, key) => node[key], contract)
    : own;
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
const lines = Object.entries(contract.paths).flatMap(([path, methods]) =>
  ["get", "post"]
    .filter((method) => methods[method])
    .map((method) => {
      const { operationId, parameters = [], requestBody } = methods[method];
      const all = [...(methods.parameters ?? []), ...parameters].map(resolve);
      const query = all.filter(({ in: place }) => place === "query").map(({ name }) => name);
      const body = requestBody ? Object.keys(resolve(requestBody).content)[0] : null;
      const operation = { id: operationId, method: method.toUpperCase(), path, query, body };
      return `  ${camel(operationId)}: ${JSON.stringify(operation)},`;
    }),
);
const head = "/** The operations of the contract: method, path, names in the query, and the media type of the body. */";
await writeFile(
  new URL("src/operations.ts", import.meta.url),
  `${head}\nexport const OPERATIONS = {\n${lines.join("\n")}\n} as const;\n`,
);
