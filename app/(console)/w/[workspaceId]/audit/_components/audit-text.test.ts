import { expect, test } from "vitest";

import { filterHref } from "@/components/ui/filter-texts";
import { auditFilterOf, readAuditQuery } from "./audit-query";
import { newId } from "@/lib/contract/ids";
import { detailLines } from "./audit-text";

const texts = (detail: Record<string, unknown>, action = "member.set_role") =>
  detailLines({ action, detail }, []).map(({ text }) => text);

test("a change is shown with its old and new value, every other detail with its name", () => {
  expect(texts({ from: "analyst", to: "admin", canSeeAddresses: true, note: "", gone: null })).toEqual([
    "analyst → admin",
    "can see addresses: yes",
  ]);
  expect(texts({ origins: ["https://a.example", "https://b.example"] })).toEqual([
    "origins: https://a.example, https://b.example",
  ]);
  expect(texts({ origins: [] })).toEqual(["origins: none"]);
  expect(texts({ environmentId: `env_${"0123".repeat(8)}` })).toEqual(["environment id: env_01230123…0123"]);
  expect(texts({ expiresAt: "2026-11-26T17:48:05.123Z", window_minutes: 60 })).toEqual([
    "expires at: 26 Nov 2026, 17:48:05 UTC",
    "window minutes: 60",
  ]);
  expect(texts({ from: "open", to: "in_progress" }, "case.set_status")).toEqual(["Open → In progress"]);
});

test("people are named by their e-mail address, and their ids are kept", () => {
  const [zoe, gone] = [newId("user"), newId("user")];
  const lines = (detail: Record<string, unknown>) =>
    detailLines({ action: "case.assign", detail }, [{ userId: zoe, email: "zoe@example.com" }]);
  expect(lines({ from: "", to: zoe })).toEqual([{ text: "none → zoe@example.com", people: [zoe] }]);
  expect(lines({ from: zoe, to: gone })).toEqual([{ text: "zoe@example.com → a former member", people: [zoe, gone] }]);
  expect(lines({ userId: zoe })).toEqual([{ text: "person: zoe@example.com", people: [zoe] }]);
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
  expect(filterHref("/audit", query, { cursor: "a+b" })).toBe("/audit?action=member&cursor=a%2Bb");
  expect(filterHref("/audit", readAuditQuery({}))).toBe("/audit");
});
