// @ts-check
// How to hold a cube, in words.

import { colorName } from "../cube/names.js";
import { store } from "../store.js";
import { holding as phrases } from "../sentences.js";

/** How to hold a cube with these centres. @param {string} stickers */
export function holding(stickers) {
  const { palette } = store.get();
  const [top, front] = [4, 22].map((centre) => /** @type {import("../types").Colour} */ (stickers[centre]));
  return phrases.hold(colorName(palette[top]), colorName(palette[front]));
}
