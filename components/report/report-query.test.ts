import { expect, test } from "vitest";

import { REPORT_FILTERS } from "@/lib/contract/report-filters";
import { parseViewQuery } from "@/lib/tenancy/views/domain/view-query";
import { parseChoice } from "@/lib/contract/report-filters";
import {
  filtersLeftOut,
  isRedundant,
  isTimeLeftOut,
  narrowedHref,
  ownRangeIn,
  parseReportQuery,
  reportListHref,
  setFilters,
  timeRange,
} from "./report-query";

test("an address without valid values shows the last seven days without a filter", () => {
  const nothing = parseReportQuery({});
  expect(nothing.span).toBe("7d");
  expect(setFilters(nothing)).toEqual([]);
  const nonsense = {
    span: "toString",
    risk: "pass",
    search: "  ",
    country: "Germany",
    app: "x",
    from: "soon",
    to: "x",
  };
  expect(parseReportQuery(nonsense)).toEqual(nothing);
  expect(reportListHref("/r", nothing, {})).toBe("/r");
});

test("a query survives a round trip through the address, and a change of filters resets paging", () => {
  const query = parseReportQuery({ span: "24h", risk: "DECEPTIVE", search: " imp_01 ", before: "x~y" });
  expect(query).toMatchObject({ span: "24h", risk: "DECEPTIVE", search: "imp_01", before: "x~y" });
  expect(reportListHref("/r", query, { before: "a~b" })).toBe("/r?span=24h&risk=DECEPTIVE&search=imp_01&before=a%7Eb");
  expect(reportListHref("/r", query, { after: "a~b" })).toBe("/r?span=24h&risk=DECEPTIVE&search=imp_01&after=a%7Eb");
  expect(reportListHref("/r", query, { risk: undefined })).toBe("/r?span=24h&search=imp_01");
  expect(reportListHref("/r", query, {})).toContain("before=x%7Ey");
});

test("a custom range carries its zone, means the same instants to everybody, and is replaced by a span", () => {
  const raw = { from: "2026-11-20T10:00", to: "2026-11-21", zone: "Europe/Berlin" };
  const query = parseReportQuery(raw);
  expect(timeRange(query, new Date(), "Asia/Tokyo")).toMatchObject({
    from: new Date("2026-11-20T09:00:00Z"),
    to: new Date("2026-11-20T23:00:00Z"),
  });
  expect(reportListHref("/r", query, {})).toBe("/r?from=2026-11-20T10%3A00&to=2026-11-21&zone=Europe%2FBerlin");
  expect(reportListHref("/r", query, { span: "30d" })).toBe("/r?span=30d");
  for (const wrong of [{ zone: "Mars/Olympus" }, { to: "2026-11-19" }, { from: "2020-01-01" }, { to: undefined }])
    expect(parseReportQuery({ ...raw, ...wrong }).from).toBeUndefined();
});

test("a time that the clock skips makes no range that ends before it begins", () => {
  const zone = "Europe/Berlin";
  for (const [from, to] of [
    ["2026-03-29T02:30", "2026-03-29T03:15"],
    ["2026-03-29T02:00", "2026-03-29T03:00"],
  ] as const)
    expect([isTimeLeftOut({ from, to, zone }), parseReportQuery({ from, to, zone }).from]).toEqual([true, undefined]);
  const hour = parseReportQuery({ from: "2026-03-29T01:30", to: "2026-03-29T03:30", zone });
  expect(timeRange(hour, new Date(), zone)).toMatchObject({
    from: new Date("2026-03-29T00:30:00Z"),
    to: new Date("2026-03-29T01:30:00Z"),
  });
});

test("a submitted form's empty fields are redundant, our own links never are", () => {
  expect(isRedundant({ reason: "", risk: "PASS" })).toBe(true);
  expect(isRedundant({ risk: ["PASS", "DECEPTIVE"] })).toBe(true);
  const href = narrowedHref("/r", { device: `dev_${"0".repeat(32)}` });
  expect(href).toBe(`/r?span=90d&device=dev_${"0".repeat(32)}`);
  expect(isRedundant(Object.fromEntries(new URL(href, "http://localhost").searchParams))).toBe(false);
});

test("every filter of the list, and its time, can be stored in a saved view", () => {
  for (const name of [...REPORT_FILTERS, "span", "from", "to", "zone"])
    expect(parseViewQuery(`${name}=x`)).toBe(`${name}=x`);
});

test("several values of a filter, and all but some, survive a form, the address and values with signs of their own", () => {
  const form = { reason: ["PROXY_DETECTED", "AUTOMATION_DETECTED"], surface: ["a%2Cb", "%21c"], "surface-not": "on" };
  const query = parseReportQuery(form);
  expect(query).toMatchObject({ reason: "PROXY_DETECTED,AUTOMATION_DETECTED", surface: "!a%2Cb,%21c" });
  expect(isRedundant(form)).toBe(true);
  const again = parseReportQuery(Object.fromEntries(new URL(reportListHref("/r", query, {}), "http://a").searchParams));
  expect(again).toEqual(query);
  expect(parseChoice(again.surface ?? "")).toEqual({ isExcluded: true, values: ["a,b", "!c"] });
  expect(parseReportQuery({ country: "DE,Germany", connection: "!,x", rule: "a'b" })).toEqual(
    parseReportQuery({ country: "DE" }),
  );
});

test.each([
  { from: "2026-11-20T10:00" },
  { to: "2026-11-20T10:00", from: "" },
  { from: "2026-11-21", to: "2026-11-20" },
  { from: "2025-01-01", to: "2026-11-20" },
  { from: "soon", to: "2026-11-20" },
  { from: "2026-11-20", to: "2026-11-21", zone: "Mars/Phobos" },
  { span: "1d" },
])("a time that is none is told, not silently replaced by another: %j", (raw) => {
  expect(isTimeLeftOut(raw)).toBe(true);
});

test("a time that is understood is not told, nor is an empty field of a form", () => {
  for (const raw of [{}, { from: "", to: "", span: "7d", zone: "UTC" }, { from: "2026-11-20", to: "2026-11-21" }])
    expect(isTimeLeftOut(raw)).toBe(false);
});

test("filters whose value means nothing are named, since the list is not narrowed by them", () => {
  const raw = {
    risk: "deceptive",
    country: ["DE", "fr"],
    reason: "!",
    search: "imp_01",
    device: "dev_1",
    asn: "64500",
  };
  expect(filtersLeftOut(raw)).toEqual(["risk", "reason", "country", "device"]);
  expect(filtersLeftOut({ country: "", "country-not": "on", browser: "!Chrome,Firefox" })).toEqual([]);
});

test("a form shows the ends of a shared range in the zone of who reads it, so that sending it keeps the range", () => {
  const query = parseReportQuery({ from: "2026-11-20T10:00", to: "2026-11-21", zone: "Europe/Berlin" });
  const shown = ownRangeIn(query, "Asia/Kathmandu");
  expect(shown).toEqual({ from: "2026-11-20T14:45", to: "2026-11-21T04:45" });
  const sent = parseReportQuery({ ...shown, zone: "Asia/Kathmandu" });
  const [before, after] = [query, sent].map((each) => timeRange(each, new Date(), "UTC"));
  expect([after?.from, after?.to]).toEqual([before?.from, before?.to]);
  expect(ownRangeIn(parseReportQuery({}), "UTC")).toEqual({ from: "", to: "" });
});
