import { expect, test } from "vitest";

import { describeLink } from "./describe-link";

const evidence = [
  { fact: "hardware", text: "same hardware", factor: 45_000 },
  { fact: "network", text: "another network", factor: 0.5 },
];

test.each([
  ["nothing recorded", undefined, "Not recorded"],
  ["a token", { by: "token" as const }, "Device token"],
  [
    "evidence",
    { by: "evidence" as const, outcome: "linked" as const, confidence: 0.99987, evidence },
    "Evidence, 99.9 %",
  ],
  ["a first visit", { by: "evidence" as const, outcome: "new" as const, confidence: 0, evidence: [] }, "New device"],
  [
    "a near miss",
    { by: "evidence" as const, outcome: "new" as const, confidence: 0.9699, evidence },
    "New device: the nearest one reached 96.9 %",
  ],
  [
    "a copied token",
    {
      by: "evidence" as const,
      outcome: "new" as const,
      confidence: 0,
      evidence: [],
      copiedToken: { contradiction: "system" },
    },
    "New device, its token was copied",
  ],
])("%s is named in a line: %#", (_name, record, title) => {
  expect(describeLink(record).title).toBe(title);
});

test("evidence for and against is written as a factor above one", () => {
  const { evidence: rows } = describeLink({ by: "evidence", outcome: "linked", confidence: 0.98, evidence });
  expect(rows.map(({ weight }) => weight)).toEqual(["× 45,000", "÷ 2.0"]);
});
