import { expect, test } from "vitest";

import { parsePurchaseSearch } from "./purchase-search";

const hex = (length: number) => "0123456789abcdef".repeat(8).slice(0, length);

test.each([
  [` ati_${hex(32)} `, "intent", `ati_${hex(32)}`],
  [`ATI_${hex(32).toUpperCase()}`, "intent", `ati_${hex(32)}`],
  [`trial_${hex(32)}`, "trial", `trial_${hex(32)}`],
  [`0x${hex(64).toUpperCase()}`, "transaction", `0x${hex(64)}`],
  [`0x${hex(40)}`, "payer", `0x${hex(40)}`],
  ["https://Agent.example", "origin", "https://agent.example"],
])("%s is recognised by its format", (text, by, value) => {
  expect(parsePurchaseSearch(text)).toEqual({ by, value });
});

test.each([
  "",
  "hello",
  `ati_${hex(31)}`,
  `0x${hex(41)}`,
  "ftp://agent.example",
  "https://a b",
  `https://${"a".repeat(400)}`,
])("%j is rejected", (text) => {
  expect(parsePurchaseSearch(text)).toBeUndefined();
});
