// Sizes are written with the units of bytes, not with the short forms of large numbers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { size } from "../../../web/size.js";

test("a size has a unit of bytes and at most three digits", () => {
  const known = {
    0: "0 bytes",
    1: "1 byte",
    999: "999 bytes",
    1000: "1 kB",
    4096: "4.1 kB",
    999_499: "999 kB",
    999_500: "1 MB",
    645_265_304: "645 MB",
    3_284_000_000: "3.28 GB",
    25_000_000_000_000: "25 TB",
  };
  for (const [bytes, text] of Object.entries(known)) assert.equal(size(Number(bytes)), text);
});
