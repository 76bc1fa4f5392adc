import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withValues } from "../../testing";
import { environmentRealms } from "./environment-realms";

const { chromium, firefoxResistFingerprinting } = CAPTURED;

test.each([
  ["a worker with other cores", withValues(chromium, { worker: { hardwareConcurrency: 8 } })],
  ["a worker with other memory", withValues(chromium, { worker: { deviceMemory: 4 } })],
  ["a frame with other languages", withValues(chromium, { iframe: { languages: ["de-DE"] } })],
  ["a worker with another clock", withValues(chromium, { worker: { timezoneOffset: -120 } })],
  ["a frame with another clock", withValues(chromium, { iframe: { timezoneOffset: 300 } })],
])("catches %s as SUSPICIOUS, and shows both values", (_name, visit) => {
  const finding = findingOf(environmentRealms, visit);
  expect(finding?.status).toBe("SUSPICIOUS");
  expect(finding?.compared.map(({ isOdd }) => isOdd)).toEqual([false, true]);
});

test.each([
  ["Chromium", chromium],
  ["a worker that a policy blocks", withStates(chromium, { worker: "blocked" })],
  ["a realm that does not tell", withValues(chromium, { worker: { deviceMemory: undefined, languages: undefined } })],
  ["Brave's randomized cores and memory", withValues(DESCRIBED.braveWindows11, { worker: { deviceMemory: 8 } })],
  [
    "Firefox that resists fingerprinting",
    withValues(firefoxResistFingerprinting, { worker: { hardwareConcurrency: 2 } }),
  ],
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentRealms, visit)).toBeUndefined();
});
