// @ts-check
// The address holds the cube and its solution after `#`: #cube=...&solution=R_U_F-&least=3&step=2.

/** @typedef {import("./types").State} State */

/** @param {State} state */
export function writeHash(state) {
  const fields = [];
  if (state.mode !== "solve") fields.push(`mode=${state.mode}`);
  if (state.mode === "lab" && state.tab !== "coordinates") fields.push(`tab=${state.tab}`);
  if (state.mode === "lab" && state.coordinate) fields.push(`coordinate=${state.coordinate}`);
  if (!state.example) fields.push(`cube=${state.stickers.replaceAll("?", "-")}`);
  if (state.solution?.length) fields.push(`solution=${state.solution.moves.join("_").replaceAll("'", "-")}`);
  if (state.solution?.lowerBound) fields.push(`least=${state.solution.lowerBound}`);
  if (state.solution && state.step) fields.push(`step=${state.step}`);
  return fields.length ? `#${fields.join("&")}` : "";
}

/**
 * Reads what `writeHash` wrote. `cube` may also be any other form of a cube.
 * @param {string} hash
 */
export function readHash(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const mode = fields.get("mode");
  const tab = fields.get("tab");
  const cube = fields.get("cube");
  const plain = cube !== null && /^[URFDLB-]{54}$/.test(cube);
  return {
    mode: /** @type {State["mode"]} */ (mode === "scramble" || mode === "lab" ? mode : "solve"),
    tab: /** @type {State["tab"]} */ (tab === "solution" || tab === "tables" ? tab : "coordinates"),
    coordinate: fields.get("coordinate") ?? "",
    stickers: plain ? cube.replaceAll("-", "?") : null,
    text: plain || cube === null ? null : cube.includes(":") ? cube : cube.replaceAll("_", " "),
    solution: fields.get("solution")?.replaceAll("_", " ") ?? null,
    least: Math.max(0, Number.parseInt(fields.get("least") ?? "0", 10) || 0),
    step: Math.max(0, Number.parseInt(fields.get("step") ?? "0", 10) || 0),
  };
}
