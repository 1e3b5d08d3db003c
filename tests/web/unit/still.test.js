// The still picture in index.html, which is seen before the modules are loaded: the first picture that they draw.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HOME_VIEW } from "../../../web/cube/cube-view.js";
import { STICKERS } from "../../../web/cube/cube.js";
import { BODY, polygons, projectAll } from "../../../web/cube/geometry.js";
import { PALETTES, store } from "../../../web/store.js";

/** Size of a sticker relative to its place. */
const SIZE = 0.86;

test("the still picture of the page is that of its first cube", () => {
  const { stickers } = store.get();
  const text = (/** @type {[number, number][]} */ points) =>
    points.map((point) => point.map((value) => Number(value.toFixed(3))).join()).join(" ");
  const front = polygons(HOME_VIEW).filter((polygon) => polygon.front);
  const bodies = front
    .filter(({ index }) => index >= BODY)
    .map(({ points }) => `<polygon class="body" points="${text(points)}" />`);
  const tiles = front
    .filter(({ index }) => index < BODY)
    .map(({ index }) => {
      const { center, corners } = STICKERS[index];
      const square = corners.map((corner) => corner.map((value, axis) => center[axis] + SIZE * (value - center[axis])));
      const points = text(projectAll(HOME_VIEW, /** @type {any} */ (square)));
      return `<polygon fill="${PALETTES.standard[/** @type {"U"} */ (stickers[index])]}" points="${points}" />`;
    });
  const expected = [...bodies, ...tiles].join("\n");
  const html = readFileSync(new URL("../../../web/index.html", import.meta.url), "utf8");
  const found = (html.match(/<polygon[^>]*>/g) ?? []).join("\n");
  assert.equal(found, expected, `write this into index.html:\n${expected}`);
});
