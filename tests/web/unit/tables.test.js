// How many tables belong to the profile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { totals } from "../../../web/lab/tables.js";

/** @param {string} name @param {number} bytes */
const table = (name, bytes) => /** @type {any} */ ({ name, bytes });

test("tables for proofs and metrics are not counted as tables of the profile", () => {
  const own = [table("twist_move", 82_852), table("phase_two", 600_000_000)];
  assert.equal(totals(own, "standard"), "2 tables of the profile standard, 600 MB.");
  const coset = table("optimal_l", 2_626_000_000);
  assert.equal(
    totals([...own, coset], "standard"),
    "2 tables of the profile standard, 600 MB. 1 table for proofs or other metrics, 2.63 GB.",
  );
  assert.match(
    totals([...own, coset, table("qtm_phase_one", 1000)], "standard"),
    / 2 tables for proofs or other metrics, 2.63 GB\.$/,
  );
});
