import { expect, test } from "vitest";

import { shownName } from "@/lib/interfaces/oauth/domain/client-name";
import { parseComment, parseNote } from "@/lib/tenancy/cases/domain/case";
import { parseName } from "@/lib/tenancy/workspaces/domain/name";
import { composeText } from "./storable";

test("a text counts as it is composed, and the longest decomposition fits", () => {
  expect(composeText(` ${"e\u0301".repeat(80)} `, 80)).toBe("é".repeat(80));
  expect(composeText("\u03b1\u0313\u0300\u0345".repeat(80), 80)).toBe("\u1f82".repeat(80));
  expect(composeText("é".repeat(81), 80)).toBeUndefined();
  expect(composeText("", 80)).toBe("");
});

test.each([
  ["marks that are out of order", `a${"\u0301".repeat(100_000)}${"\u0323".repeat(100_000)}`],
  ["tags of one flag", `\u{1f3f4}${"\u{e0061}".repeat(100_000)}`],
])("%s, as many as fit into a request, are refused at once", (_name, text) => {
  const startedAt = performance.now();
  for (const parse of [parseName, parseComment, parseNote]) expect(parse(text)).toBeUndefined();
  shownName(text);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
