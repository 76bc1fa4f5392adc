import { expect, test } from "vitest";

import { parseReportQuery, reportListHref, spanRange } from "./report-query";

test("an address that says nothing understandable shows the last seven days", () => {
  const nothing = { span: "7d", risk: undefined, search: undefined, before: undefined, after: undefined };
  expect(parseReportQuery({})).toEqual(nothing);
  expect(parseReportQuery({ span: "toString", risk: "pass", search: "  " })).toEqual(nothing);
});

test("what the address says survives a round trip, and a change of filters returns to the newest page", () => {
  const query = parseReportQuery({ span: "24h", risk: ["DECEPTIVE", "PASS"], search: " imp_01 ", before: "x~y" });
  expect(query).toMatchObject({ span: "24h", risk: "DECEPTIVE", search: "imp_01", before: "x~y" });
  expect(reportListHref("/r", query, { before: "a~b" })).toBe("/r?span=24h&risk=DECEPTIVE&search=imp_01&before=a%7Eb");
  expect(reportListHref("/r", query, { risk: undefined })).toBe("/r?span=24h&search=imp_01");
  expect(reportListHref("/r", parseReportQuery({}), {})).toBe("/r");
});

test("a span consists of whole steps and includes the present one", () => {
  const now = new Date("2026-11-21T07:12:04Z");
  expect(spanRange("24h", now)).toEqual({
    from: new Date("2026-11-20T08:00:00Z"),
    to: new Date("2026-11-21T08:00:00Z"),
    stepSeconds: 3600,
  });
  expect(spanRange("90d", now).to).toEqual(new Date("2026-11-22T00:00:00Z"));
});
