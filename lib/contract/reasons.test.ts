import { expect, test } from "vitest";

import { REASON_COPY } from "./reasons";
import { REASONS } from "./report";

test.each(REASONS)("%s has its own title, a text and its harmless causes", (reason) => {
  const { title, text, harmlessCauses } = REASON_COPY[reason];
  expect(Object.values(REASON_COPY).filter((copy) => copy.title === title)).toHaveLength(1);
  expect(text).toMatch(/^[A-Z].+\.$/);
  expect(harmlessCauses.length).toBeGreaterThan(0);
});

test("no text recommends an action", () => {
  expect(JSON.stringify(REASON_COPY)).not.toMatch(/\b(block|deny|allow|reject|review|should|must|recommend)\b/i);
});
