import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withValues } from "../../testing";
import { environmentValues } from "./environment-values";

const { chromium } = CAPTURED;

test.each([
  ["half a processor", withValues(chromium, { navigator: { hardwareConcurrency: 2.5 } })],
  ["no processor, in the worker", withValues(chromium, { worker: { hardwareConcurrency: 0 } })],
  ["more processors than a machine has", withValues(chromium, { navigator: { hardwareConcurrency: 5000 } })],
  ["memory that browsers round to a power of two", withValues(chromium, { navigator: { deviceMemory: 3 } })],
  ["fewer than no touch points", withValues(chromium, { navigator: { maxTouchPoints: -1 } })],
  ["half a pixel", withValues(chromium, { screen: { width: 1366.5 } })],
  ["no pixels for a pixel", withValues(chromium, { screen: { devicePixelRatio: 0 } })],
  ["a clock of today that is of no season", withValues(chromium, { timezone: { january: -60, july: -120, now: 300 } })],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(environmentValues, visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ...Object.entries(CAPTURED),
  ...Object.entries(DESCRIBED),
  ["a large server", withValues(chromium, { navigator: { hardwareConcurrency: 896, deviceMemory: 32 } })] as const,
  ["an old phone", withValues(chromium, { navigator: { hardwareConcurrency: 1, deviceMemory: 0.25 } })] as const,
  ["a page at 67 %", withValues(chromium, { screen: { devicePixelRatio: 0.6666666865348816 } })] as const,
  ["a page at 200 % on a fine screen", withValues(chromium, { screen: { devicePixelRatio: 5.25 } })] as const,
  ["a frame that is not shown", withValues(chromium, { screen: { width: 0, height: 0 } })] as const,
  ["Morocco in Ramadan", withValues(chromium, { timezone: { january: -60, july: -60, now: 0 } })] as const,
  ["Troll in Antarctica", withValues(chromium, { timezone: { january: 0, july: -120, now: -120 } })] as const,
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(environmentValues, visit)).toBeUndefined();
});
