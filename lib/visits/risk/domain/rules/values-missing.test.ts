import { expect, test } from "vitest";

import { CAPTURED, DESCRIBED, findingOf, withStates, withValues } from "../../testing";
import { valuesMissing } from "./values-missing";

const { chromium, firefox } = CAPTURED;
const emptied = (name: "worker" | "iframe") => ({
  ...chromium,
  signals: { ...chromium.signals, [name]: { state: "ok" as const, value: {} } },
});

test.each([
  ["a worker without values", emptied("worker")],
  ["a frame without values", emptied("iframe")],
  [
    "a worker that names the browser and nothing else",
    withValues(chromium, { worker: { platform: undefined, languages: undefined, hardwareConcurrency: undefined } }),
  ],
  [
    "features of which only the first are there",
    { ...firefox, signals: { ...firefox.signals, features: { state: "ok" as const, value: "1" } } },
  ],
])("catches %s as SUSPICIOUS", (_name, visit) => {
  expect(findingOf(valuesMissing, visit)).toMatchObject({ status: "SUSPICIOUS", reason: "SIGNAL_DATA_INCOMPLETE" });
});

test.each([
  ...Object.entries(CAPTURED),
  ...Object.entries(DESCRIBED),
  ["a policy that blocks workers and frames", withStates(chromium, { worker: "blocked", iframe: "blocked" })] as const,
  [
    "a worker of which only the processor is hidden",
    withValues(chromium, { worker: { hardwareConcurrency: undefined } }),
  ] as const,
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(valuesMissing, visit)).toBeUndefined();
});
