import { afterAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { killPurchase } from "@/scripts/faults/kill-purchase";
import { prepareKills, runKills } from "@/scripts/faults/kills";
import { startSandbox } from "@/scripts/sandbox/sandbox";

const { db, url } = await createTestDatabase({ poolSize: 16 });
const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const dependencies = await prepareKills(db, url, sandbox);

test(
  "a process killed after any message of an activation leaves one payment and one trial, or nothing taken",
  { timeout: 600_000 },
  async () => {
    const summary = await runKills(dependencies, { kills: 54, seed: 1 });
    expect(summary.violations).toEqual([]);
    expect(summary.kills).toBeGreaterThanOrEqual(50);
    expect(Object.keys(summary.killsByMessage)).toEqual(expect.arrayContaining(["POST /settle", "commit"]));
    expect(summary.paidAnew).toBeGreaterThan(0);
  },
);

test(
  "the same kill detects a seller that takes the money before it records the payment",
  { timeout: 300_000 },
  async () => {
    const outcome = await killPurchase(dependencies, {
      kills: [(messages) => messages.at(-1) === "POST /settle"],
      buyer: "asks what to pay",
      isNaive: true,
    });
    expect(outcome.kills).toEqual(["POST /settle"]);
    expect(outcome.violations).toContain("the buyer paid 2000000");
  },
);
