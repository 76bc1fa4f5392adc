import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { ERRORS } from "@/lib/contract/errors";
import { PLAN_LIMITS } from "@/lib/tenancy/workspaces";

const read = (file: string) => readFileSync(`docs/${file}`, "utf8");

test("errors.md calls every server error safe to retry, as the error code pages do", () => {
  const [safe = ""] = /Safe to repeat as it is[^.]*\./.exec(read("errors.md")) ?? [];
  const statuses = new Set(Object.values(ERRORS).flatMap(({ status }) => (status >= 500 ? [status] : [])));
  for (const status of statuses) expect(safe).toContain(String(status));
  expect(read("agent-trial.md")).toContain(
    "**502 `facilitator_error`, 503 `payment_unavailable`.** This request submitted nothing",
  );
});

test("limits.md has the table of plans, and a larger plan includes everything in a smaller one", () => {
  const { lite, pro, enterprise } = PLAN_LIMITS;
  const table = read("limits.md").replaceAll(/ +/g, " ");
  const row = (
    name: string,
    { requestsPerSecond, reportUnits, historyDays, hasAccountMap }: typeof pro | typeof lite | typeof enterprise,
  ) =>
    `| ${name} | ${requestsPerSecond} | ${reportUnits?.toLocaleString("en-US") ?? "unlimited"} | ${historyDays === 0 ? "no" : `${historyDays} days`} | ${hasAccountMap ? "yes" : "no"} |`;
  for (const [name, plan] of [
    ["Lite", lite],
    ["Pro", pro],
    ["Enterprise", enterprise],
  ] as const)
    expect(table).toContain(row(name, plan));
  const ordered = [PLAN_LIMITS.trial, lite, pro, enterprise];
  for (const [index, plan] of ordered.entries()) {
    const larger = ordered[index + 1];
    if (!larger) continue;
    expect(Number(larger.hasAccountMap)).toBeGreaterThanOrEqual(Number(plan.hasAccountMap));
    expect(larger.historyDays).toBeGreaterThanOrEqual(plan.historyDays);
    expect(larger.requestsPerSecond).toBeGreaterThanOrEqual(plan.requestsPerSecond);
  }
});
