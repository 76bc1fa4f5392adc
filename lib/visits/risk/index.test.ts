import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { assessRisk, RISK_RULES, RULES_VERSION } from "./index";
import { CAPTURED } from "./testing";

test("the list of rules contains every rule that evidence can name", () => {
  const named = assessRisk(CAPTURED.playwright).evidence.map(({ ruleId }) => ruleId);
  expect(RISK_RULES.map(({ id }) => id)).toEqual(expect.arrayContaining(named));
  expect(named).not.toHaveLength(0);
});

test("the rules version is a month, and every assessment has it", () => {
  expect(RULES_VERSION).toMatch(/^\d{4}\.(?:0[1-9]|1[0-2])$/);
  expect(assessRisk(CAPTURED.chromium).rulesVersion).toBe(RULES_VERSION);
});

test("docs/risk.md lists every rule with its reason, and the rules version", () => {
  const page = readFileSync(new URL("../../../docs/risk.md", import.meta.url), "utf8");
  for (const { id, reason } of RISK_RULES) expect(page).toMatch(new RegExp(`\\| \`${id}\` +\\| \`${reason}\``));
  expect(page).toContain(`\`${RULES_VERSION}\``);
});
