import fc from "fast-check";
import { expect, test } from "vitest";

import { type CollectedSignal, RETIRED_SIGNALS, SIGNAL_NAMES } from "@/lib/contract/signal-lists";

import { CAPTURED, DESCRIBED, findingOf, withStates } from "../../testing";
import { groupsMissing } from "./groups-missing";

const { chromium } = CAPTURED;
const COLLECTED = SIGNAL_NAMES.filter(
  (name): name is CollectedSignal => !RETIRED_SIGNALS.some((gone) => gone === name),
);
/** Without this group the whole description is missing, which another rule reports. */
const OTHERS = COLLECTED.filter((name) => name !== "navigator");

test("catches a visit without any of the groups, whichever they are", () => {
  fc.assert(
    fc.property(fc.subarray(OTHERS, { minLength: 1 }), (names) => {
      const visit = withStates(chromium, Object.fromEntries(names.map((name) => [name, "missing" as const])));
      expect(findingOf(groupsMissing, visit)?.status).toBe("SUSPICIOUS");
      expect(findingOf(groupsMissing, visit)?.compared[0]?.value.split(", ").sort()).toEqual([...names].sort());
    }),
  );
});

test.each([
  ["two basic groups that failed", { page: "error", engine: "error" }],
  ["traces of automation that are kept back", { automation: "error" }],
  ["features that are kept back", { features: "blocked" }],
  ["a screen that is kept back", { screen: "timeout" }],
] as const)("catches %s as SUSPICIOUS", (_name, states) => {
  expect(findingOf(groupsMissing, withStates(chromium, states))?.status).toBe("SUSPICIOUS");
});

test.each([
  ...Object.entries(CAPTURED),
  ...Object.entries(DESCRIBED),
  ["one basic group that failed", withStates(chromium, { engine: "error" })] as const,
  [
    "all that policies, content blockers and old systems take away",
    withStates(chromium, {
      worker: "blocked",
      iframe: "blocked",
      webgl: "absent",
      canvas: "error",
      fonts: "absent",
      uaData: "absent",
    }),
  ] as const,
  ["groups that are no longer collected", withStates(chromium, { audio: "missing" })] as const,
  ["a visit without a description, which another rule names", { signals: {}, request: { clientHints: {} } }] as const,
])("leaves %s alone", (_name, visit) => {
  expect(findingOf(groupsMissing, visit)).toBeUndefined();
});
