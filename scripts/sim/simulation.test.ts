import { expect, test } from "vitest";

import { BUGS } from "./bugs";
import { findViolation, simulate } from "./simulate";

/** `npm run sim` runs 50,000. */
const SCHEDULES = 10_000;
const SCHEDULES_PER_BUG = 10_000;

/** Every status change that a purchase can make. */
const CHANGES = [
  "payment_required payment_in_progress",
  "payment_required expired",
  "payment_required revoked",
  "payment_failed payment_in_progress",
  "payment_failed expired",
  "payment_failed revoked",
  "payment_in_progress provisioning",
  "payment_in_progress reconciliation_pending",
  "payment_in_progress payment_failed",
  "reconciliation_pending provisioning",
  "reconciliation_pending payment_failed",
  "provisioning active",
  "active expired",
  "active revoked",
];

test(
  `over ${SCHEDULES} schedules of faults no buyer pays twice, loses a payment or keeps a trial`,
  { timeout: 300_000 },
  () => {
    const summary = simulate({ firstSeed: 1, schedules: SCHEDULES });
    expect(summary.violations).toEqual([]);
    expect(new Set(summary.changes)).toEqual(new Set(CHANGES));
    expect(summary.crashes).toBeGreaterThan(SCHEDULES);
    expect(summary.paid).toBeGreaterThan(SCHEDULES);
  },
);

test("a schedule depends only on its seed", () => {
  const [once, again] = [simulate({ firstSeed: 4711, schedules: 20 }), simulate({ firstSeed: 4711, schedules: 20 })];
  expect(again).toEqual(once);
});

test.each(Object.entries(BUGS))(
  `a purchase that %s is found within ${SCHEDULES_PER_BUG} schedules`,
  { timeout: 120_000 },
  (_name, bug) => {
    expect(findViolation(bug, SCHEDULES_PER_BUG)).toBeDefined();
  },
);

test("at least 12 bugs are looked for", () => {
  expect(Object.keys(BUGS).length).toBeGreaterThanOrEqual(12);
});
