import { expect, test } from "vitest";

import { filterAddress } from "@/components/ui/filter-texts";
import { auditFilterOf, readAuditQuery } from "./audit-query";
import { detailLines } from "./audit-text";

test("a change is shown with its old and new value, every other detail with its name", () => {
  expect(detailLines({ from: "analyst", to: "admin", canSeeAddresses: true, note: "", gone: null })).toEqual([
    "analyst → admin",
    "can see addresses: yes",
  ]);
  expect(detailLines({ origins: ["https://a.example", "https://b.example"] })).toEqual([
    "origins: https://a.example, https://b.example",
  ]);
  expect(detailLines({ environmentId: `env_${"0123".repeat(8)}` })).toEqual(["environment id: env_01230123…0123"]);
});

test("the last day of the filter is included, and an invalid date is ignored", () => {
  const query = readAuditQuery({ from: "2026-11-01", to: "2026-11-02", action: " api_key ", actor: ["a", "b"] });
  expect(auditFilterOf(query)).toEqual({
    action: "api_key",
    actor: undefined,
    target: undefined,
    from: new Date("2026-11-01T00:00:00Z"),
    to: new Date("2026-11-03T00:00:00Z"),
  });
  expect(auditFilterOf(readAuditQuery({ from: "yesterday", to: "2026-02-30" }))).toMatchObject({
    from: undefined,
    to: undefined,
  });
});

test("an address holds only the filters that are set", () => {
  const query = readAuditQuery({ action: "member" });
  expect(filterAddress("/audit", query, { cursor: "a+b" })).toBe("/audit?action=member&cursor=a%2Bb");
  expect(filterAddress("/audit", readAuditQuery({}))).toBe("/audit");
});
