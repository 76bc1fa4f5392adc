import { expect, test } from "vitest";

import { summariseFigures } from "./summarise-figures";

const buckets = (operation: string, counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(
    ([le, count]) => `imprint_http_request_duration_seconds_bucket{le="${le}",operation="${operation}"} ${count}`,
  );

test("requests, failures, latency and backlog are extracted from the text of /metrics", () => {
  const text = [
    "# HELP imprint_http_requests_total Requests.",
    'imprint_http_requests_total{operation="readReport",status="200",code="ok"} 990',
    'imprint_http_requests_total{operation="readReport",status="500",code="internal_error"} 10',
    ...buckets("readReport", { "0.005": 900, "0.05": 995, "+Inf": 1000 }),
    ...buckets("seldom", { "0.005": 0, "+Inf": 3 }),
    'imprint_event_loop_lag_seconds{quantile="0.99"} 0.02',
    'imprint_unwritten_lines{buffer="calls"} 7',
    "imprint_webhook_backlog 4",
    'imprint_job_overdue_seconds{job_name="fold-usage"} 400',
    'imprint_job_overdue_seconds{job_name="end-trials"} 0',
  ].join("\n");
  expect(summariseFigures(text)).toEqual({
    ...{ requests: 1000, failures: 10, medianMs: 5, p99Ms: 50, databaseP99Ms: undefined, eventLoopLagMs: 20 },
    slowest: [{ operation: "readReport", requests: 1000, p99Ms: 50 }],
    backlog: { unwrittenLines: 7, webhooks: 4, overdueJobs: ["fold-usage"] },
  });
});

test("a text without figures yields none", () => {
  expect(summariseFigures("nothing here\n{} 1")).toMatchObject({ requests: 0, p99Ms: undefined, slowest: [] });
});
