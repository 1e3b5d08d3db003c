// The holds of the scan, and the assignment of scanned colours to a palette.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, matchPalette, oklab } from "../../../web/camera/colour.js";
import { HOLDS, stickersOf } from "../../../web/camera/holding.js";
import { applyMoves } from "../../../web/cube/cube.js";
import { PALETTE } from "../../../web/cube/names.js";
import { PAINT } from "../camera/pictures.mjs";

/** The turns of the whole cube that the words of the page ask for. */
const TURNS = { "": "x'", tip: "x", spin: "y" };

test("the face in the picture is that of a cube turned as the page says", () => {
  const names = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqr";
  let held = names;
  for (const hold of HOLDS) {
    held = applyMoves(held, [TURNS[hold.turn]]);
    const expected = held.slice(18, 27);
    assert.equal(
      stickersOf(hold)
        .map((at) => names[at])
        .join(""),
      expected,
      `face ${hold.face}`,
    );
  }
  assert.equal(new Set(HOLDS.flatMap(stickersOf)).size, 54);
});

test("OKLab has the published values", () => {
  // From the sRGB primaries in the definition of the space (Ottosson 2020), also in CSS Color 4.
  for (const [rgb, expected] of [
    [
      [255, 255, 255],
      [1, 0, 0],
    ],
    [
      [255, 0, 0],
      [0.628, 0.2249, 0.1258],
    ],
    [
      [0, 255, 0],
      [0.8664, -0.2339, 0.1795],
    ],
    [
      [0, 0, 255],
      [0.452, -0.0325, -0.3115],
    ],
  ])
    oklab(rgb).forEach((value, axis) => assert(Math.abs(value - expected[axis]) < 5e-4, `${rgb}: ${value}`));
});

test("half the light changes a colour less than another hue does", () => {
  const half = (rgb) => rgb.map((value) => 255 * (value / 255 / 2 ** (1 / 2.2)));
  for (const [letter, rgb] of Object.entries(PAINT))
    for (const [other, neighbour] of Object.entries(PAINT))
      if (other !== letter) assert(distance(rgb, half(rgb)) < distance(rgb, neighbour), `${letter} ${other}`);
});

test("each scanned colour gets its palette colour, in every order and in coloured light", () => {
  const letters = [..."URFDLB"];
  const lights = [
    [1, 1, 1],
    [0.5, 0.5, 0.5],
    [1, 0.85, 0.65],
    [0.8, 0.92, 1],
  ];
  for (let shift = 0; shift < 6; shift++) {
    const order = letters.map((_, at) => letters[(at * 5 + shift) % 6]);
    for (const light of lights) {
      const scan = order.map((letter) => PAINT[letter].map((value, channel) => value * light[channel]));
      assert.deepEqual(matchPalette(scan, PALETTE), order, `light ${light}`);
    }
  }
});

test("two similar colours of a palette go to two scanned colours", () => {
  const palette = { ...PALETTE, L: "#b03030" };
  const scan = [..."URFDLB"].map((letter) => PAINT[letter]);
  assert.equal(matchPalette(scan, palette).join(""), "URFDLB");
});
