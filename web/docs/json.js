// @ts-check
// JSON as text for people.

/**
 * Values that fit into a line stay on one line, such as a list of moves.
 * @param {any} value @param {number} [width] @param {string} [indent] @returns {string}
 */
export function pretty(value, width = 88, indent = "") {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  /** @type {string[]} */
  const parts = isList
    ? value.map((item) => pretty(item, width, deeper))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pretty(item, width, deeper)}`);
  const [open, close] = isList ? "[]" : "{}";
  const line = `${open}${parts.join(", ")}${close}`;
  if (indent.length + line.length <= width && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}
