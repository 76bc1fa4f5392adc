import { expect, test } from "vitest";

import { REASONS } from "@/lib/contract/report";
import { REASON_COPY } from "./reason-copy";
import { verdictText } from "./verdict-text";

const finding = (reason: (typeof REASONS)[number], status: "SUSPICIOUS" | "DECEPTIVE" = "SUSPICIOUS") => ({
  reason,
  status,
});

test("a Report without findings needs no attention", () => {
  expect(verdictText([])).toBe("Nothing needs attention");
});

test("the most severe reason comes first, each once, at most two by name", () => {
  expect(verdictText([finding("HOSTING_NETWORK_DETECTED"), finding("AUTOMATION_DETECTED", "DECEPTIVE")])).toBe(
    "Signs of automation, from a hosting network",
  );
  expect(
    verdictText([
      finding("LOCATION_INCONSISTENT"),
      finding("PROXY_DETECTED"),
      finding("PROXY_DETECTED"),
      finding("NETWORK_INCONSISTENT"),
    ]),
  ).toBe("Through a proxy or VPN, two public addresses that do not match, and 1 more");
});

test("no text about a reason recommends what to do with the visitor", () => {
  for (const reason of REASONS) {
    const { title, meaning, harmlessCauses } = REASON_COPY[reason];
    expect(`${title} ${meaning} ${harmlessCauses}`).not.toMatch(
      /\b(block|deny|reject|allow|challenge|should|must|recommend)\b/i,
    );
    expect(verdictText([finding(reason)])).not.toMatch(/undefined/);
  }
});
