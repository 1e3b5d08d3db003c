// What a user does and sees on the page, for the specs.

/** @typedef {import("playwright-core").Page} Page */

/** Writes a cube into the box, as if it was pasted. @param {Page} page @param {string} text */
export async function paste(page, text) {
  await page.fill("#box", text);
  await page.press("#box", "Enter");
  await page.locator("#form", { hasText: "Read as" }).waitFor();
}

/** Waits until a condition holds. Playwright's own function evaluates text in the page, which the content policy forbids.
 * @param {() => Promise<boolean>} condition */
export async function eventually(condition, milliseconds = 15_000) {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until the search has ended, and returns the moves of the solution. @param {Page} page */
export async function solution(page) {
  await eventually(async () => {
    const text = await page.locator("#follow .lengths").innerText();
    return /move/.test(text) && !(await page.locator("#follow .searching").isVisible());
  });
  return page.locator("#follow .moves button").allInnerTexts();
}

/** The stickers of the net: 54 letters of colours, or `?`. @param {Page} page */
export async function stickersOf(page) {
  const names = await page.locator("#net [data-index]").evaluateAll((nodes) =>
    nodes
      .map((node) => [Number(node.getAttribute("data-index")), node.getAttribute("aria-label") ?? ""])
      .sort(([a], [b]) => Number(a) - Number(b))
      .map(([, name]) => name),
  );
  const letters = { white: "U", red: "R", green: "F", yellow: "D", orange: "L", blue: "B", unpainted: "?" };
  return names
    .map((name) => Object.entries(letters).find(([word]) => String(name).includes(word))?.[1] ?? "-")
    .join("");
}

/** @param {string} text */
export const movesOf = (text) => text.trim().split(/\s+/);
