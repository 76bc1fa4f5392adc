import { expect, test } from "vitest";

import { SIGNAL_NAMES } from "@/lib/contract/signal-lists";

import { CAPTURED, withStates } from "../../testing";
import { identify } from "../identity";
import type { Visit } from "../visit";
import { groupsTimedOut } from "./groups-timed-out";

const check = (visit: Visit) => groupsTimedOut.check(visit, identify(visit), "none");
const late = (count: number, state: "timeout" | "blocked" = "timeout") =>
  withStates(CAPTURED.chromium, Object.fromEntries(SIGNAL_NAMES.slice(0, count).map((name) => [name, state])));

const half = Math.floor(SIGNAL_NAMES.length / 2);

test("catches a visit in which just over half of the groups timed out as SUSPICIOUS", () => {
  expect(check(late(half + 1))?.status).toBe("SUSPICIOUS");
});

test("counts the groups that were sent, so that older components are measured by their own", () => {
  const visit: Visit = { signals: { worker: { state: "timeout" } }, request: { clientHints: {} } };
  expect(check(visit)?.status).toBe("SUSPICIOUS");
});

test.each([
  ["late groups that are no more than half", late(half)],
  ["groups that the page forbids", late(SIGNAL_NAMES.length, "blocked")],
  [
    "exactly half",
    { signals: { worker: { state: "timeout" }, audio: { state: "absent" } }, request: { clientHints: {} } } as const,
  ],
  ["a visit without any group", { signals: {}, request: { clientHints: {} } }],
])("leaves %s alone", (_name, visit) => {
  expect(check(visit)).toBeUndefined();
});
