import { expect, test } from "vitest";

import { CAPTURED, findingOf, withStates } from "../../testing";
import { coreMissing } from "./core-missing";

const { chromium } = CAPTURED;

test.each([
  ["a submission that only names a browser", withStates(chromium, { page: "missing", engine: "missing" })],
  ["one whose other basic groups failed", withStates(chromium, { page: "error", engine: "error" })],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(coreMissing, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["a whole submission", chromium],
  ["one of the groups that failed", withStates(chromium, { engine: "error" })],
  ["a visit without a description, which another rule names", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(coreMissing, visit)).toBeUndefined();
});
