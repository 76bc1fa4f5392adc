import { expect, test } from "vitest";

import type { NoLink } from "@/lib/visits/devices";

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
    { by: "evidence" as const, outcome: "linked" as const, confidence: 0.999987, evidence },
    "Evidence, 99 %",
  ],
  ["a first visit", { by: "evidence" as const, outcome: "new" as const, confidence: 0, evidence: [] }, "New device"],
  [
    "a near miss",
    { by: "evidence" as const, outcome: "new" as const, because: "several_machines", confidence: 0.9699, evidence },
    "New device: several machines of this kind are known at its address",
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

test("every reason of the matcher has a text", () => {
  const reasons: NoLink[] = [
    ...["shows_nobody", "shared_network", "crowded_network", "unknown_model", "several_machines"],
    ...["wiped_storage", "other_machine", "known_too_short", "closed", "doubtful"],
  ] as NoLink[];
  for (const because of reasons)
    expect(describeLink({ by: "evidence", outcome: "new", because, confidence: 0, evidence: [] }).title).toMatch(
      /^New device: \w/,
    );
});

test("evidence for a match is marked as such, the rest is written as a factor above one", () => {
  const all = [...evidence, { fact: "fonts", text: "same fonts", factor: 1 }];
  const { evidence: rows } = describeLink({ by: "evidence", outcome: "linked", confidence: 0.98, evidence: all });
  expect(rows.map(({ weight }) => weight)).toEqual(["× 45,000", "÷ 2.0", "fits"]);
});
