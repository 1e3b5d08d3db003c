// @ts-check
// Sizes in bytes, for a reader.

import { locale } from "./sentences.js";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** A number of bytes in the unit that suits it, with three digits: `3.28 GB`. @param {number} bytes */
export function size(bytes) {
  // From 999.5 on, three digits would be 1000.
  const power = UNITS.findIndex((_, at) => bytes < 999.5 * 1000 ** at);
  const at = power < 0 ? UNITS.length - 1 : power;
  const unitDisplay = at ? "short" : "long";
  const form = { style: "unit", unit: UNITS[at], unitDisplay, maximumSignificantDigits: 3 };
  return new Intl.NumberFormat(locale, /** @type {Intl.NumberFormatOptions} */ (form)).format(bytes / 1000 ** at);
}
