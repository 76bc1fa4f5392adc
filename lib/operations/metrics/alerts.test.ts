import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { findInstalled } from "@/scripts/test/programs.mjs";
import { alertsOf } from "@/test/prometheus";

const RULES = "deploy/prometheus/imprint.rules.yml";
const rules = readFileSync(RULES, "utf8");
const ALERTS = alertsOf(rules);

const REQUESTS = `imprint_http_requests_total{operation="readReport",code="ok"`;
const SERIES_OF_HISTOGRAM = (name: string, slow: string) =>
  [
    [`${name}_bucket{${slow}le="0.005"}`, "0+0x2000"],
    [`${name}_bucket{${slow}le="2.5"}`, "0+60x2000"],
    [`${name}_bucket{${slow}le="+Inf"}`, "0+60x2000"],
  ] as const;

/** The series, with one sample a minute, for which each alert fires. */
const FAULTS: Record<string, readonly (readonly [series: string, values: string])[]> = {
  ImprintDown: [['up{job="imprint"}', "0x2000"]],
  ImprintDatabaseDown: [["imprint_database_up", "0x2000"]],
  ImprintDatabaseReadOnly: [
    ["imprint_database_writable", "0x2000"],
    ["imprint_database_up", "1x2000"],
  ],
  ImprintRequestsFail: [
    [`${REQUESTS},status="200"}`, "0+600x2000"],
    [`${REQUESTS},status="503"}`, "0+60x2000"],
  ],
  ImprintReportsSlow: SERIES_OF_HISTOGRAM("imprint_http_request_duration_seconds", 'operation="readReport",'),
  ImprintSubmissionsStopped: [['imprint_submissions_total{outcome="stored"}', "0+60x1500 90000x500"]],
  ImprintStatementsFail: [['imprint_statement_failures_total{statement="store visit",failure="error"}', "0+60x2000"]],
  ImprintPoolWaits: SERIES_OF_HISTOGRAM("imprint_pool_wait_seconds", ""),
  ImprintConnectionsNearlyUsed: [
    ["imprint_database_connections", "95x2000"],
    ["imprint_database_max_connections", "100x2000"],
  ],
  ImprintEventLoopLag: [['imprint_event_loop_lag_seconds{quantile="p99"}', "0.4x2000"]],
  ImprintMemoryHigh: [
    ['imprint_process_memory_bytes{kind="resident"}', "4e9x2000"],
    ["imprint_processes", "2x2000"],
  ],
  ImprintLimiterFallback: [["imprint_limiter_fallbacks_total", "0+60x2000"]],
  ImprintPermitsRefused: [['imprint_permits_refused_total{limit="submission"}', "0+600x2000"]],
  ImprintJobFailing: [['imprint_job_failing{job_name="fold-usage"}', "1x2000"]],
  ImprintJobOverdue: [['imprint_job_overdue_seconds{job_name="fold-usage"}', "1000x2000"]],
  ImprintLinesUnwritten: [['imprint_unwritten_lines{buffer="calls"}', "9000x2000"]],
  ImprintPaymentsUnresolved: [["imprint_purchases_unresolved_oldest_seconds", "2000x2000"]],
  ImprintWebhooksLate: [["imprint_webhook_overdue_seconds", "900x2000"]],
  ImprintPartitionsMissing: [["imprint_partitions_missing", "3x2000"]],
  ImprintDeadTuples: [
    ['imprint_database_dead_tuples{table="visits"}', "300000x2000"],
    ['imprint_database_live_tuples{table="visits"}', "200000x2000"],
  ],
  ImprintOldTransaction: [["imprint_database_oldest_transaction_seconds", "400x2000"]],
  ImprintSlotRetains: [["imprint_database_slot_retained_bytes", "6e9x2000"]],
  ImprintClockApart: [["imprint_database_clock_skew_seconds", "40x2000"]],
  ImprintDiskNearlyFull: [
    ["imprint_disk_free_bytes", "4e9x2000"],
    ["imprint_disk_size_bytes", "100e9x2000"],
  ],
  ImprintBackupOld: [["imprint_backup_last_success_timestamp_seconds", "1x4000"]],
  ImprintFiguresOld: [["imprint_database_figures_age_seconds", "300x2000"]],
};

/** A healthy installation without Agent Trials, embedded database or backups, in which no alert may fire. */
const HEALTHY: (typeof FAULTS)[string] = [
  ['up{job="imprint"}', "1x4000"],
  ["imprint_database_up", "1x4000"],
  ["imprint_database_writable", "1x4000"],
  [`${REQUESTS},status="200"}`, "0+600x4000"],
  ['imprint_http_request_duration_seconds_bucket{operation="readReport",le="0.005"}', "0+60x4000"],
  ['imprint_http_request_duration_seconds_bucket{operation="readReport",le="+Inf"}', "0+60x4000"],
  ['imprint_submissions_total{outcome="stored"}', "0+60x4000"],
  ['imprint_pool_wait_seconds_bucket{le="0.0005"}', "0+60x4000"],
  ['imprint_pool_wait_seconds_bucket{le="+Inf"}', "0+60x4000"],
  ["imprint_database_connections", "12x4000"],
  ["imprint_database_max_connections", "97x4000"],
  ['imprint_event_loop_lag_seconds{quantile="p99"}', "0.004x4000"],
  ['imprint_process_memory_bytes{kind="resident"}', "8e8x4000"],
  ["imprint_processes", "3x4000"],
  ["imprint_limiter_fallbacks_total", "0x4000"],
  ['imprint_permits_refused_total{limit="submission"}', "0+6x4000"],
  ['imprint_job_failing{job_name="fold-usage"}', "0x4000"],
  ['imprint_job_overdue_seconds{job_name="fold-usage"}', "3x4000"],
  ['imprint_unwritten_lines{buffer="calls"}', "20x4000"],
  ["imprint_purchases_unresolved_oldest_seconds", "0x4000"],
  ["imprint_webhook_overdue_seconds", "2x4000"],
  ["imprint_partitions_missing", "0x4000"],
  ['imprint_database_dead_tuples{table="visits"}', "20000x4000"],
  ['imprint_database_live_tuples{table="visits"}', "2000000x4000"],
  ["imprint_database_oldest_transaction_seconds", "0.4x4000"],
  ["imprint_database_slot_retained_bytes", "0x4000"],
  ["imprint_database_clock_skew_seconds", "0.01x4000"],
  ["imprint_disk_free_bytes", "0x4000"],
  ["imprint_disk_size_bytes", "0x4000"],
  ["imprint_backup_last_success_timestamp_seconds", "0x4000"],
  ["imprint_database_figures_age_seconds", "8x4000"],
];

type Scenario = { name: string; series: (typeof FAULTS)[string]; atMinutes: number; expects: string };

const scenarioText = ({ name, series, atMinutes, expects }: Scenario) =>
  [
    `  - name: ${name}`,
    "    interval: 1m",
    "    input_series:",
    ...series.flatMap(([labels, values]) => [`      - series: '${labels}'`, `        values: "${values}"`]),
    "    promql_expr_test:",
    `      - expr: '${expects === "" ? "ALERTS" : `count(ALERTS{alertname="${expects}",alertstate="firing"})`}'`,
    `        eval_time: ${atMinutes}m`,
    `        exp_samples: [${expects === "" ? "" : '{labels: "{}", value: 1}'}]`,
  ].join("\n");

/** Longer than any alert's `for`. The alert on stopped submissions needs a day of history, the one on backups two. */
const MINUTES: Record<string, number> = { ImprintSubmissionsStopped: 1_600, ImprintBackupOld: 3_000 };

test("each alert fires for its fault, and none in a healthy installation", async () => {
  const folder = mkdtempSync(join(tmpdir(), "imprint-alerts-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  copyFileSync(RULES, join(folder, "rules.yml"));
  const scenarios = [
    ...Object.entries(FAULTS).map(([name, series]) => ({
      name,
      series,
      atMinutes: MINUTES[name] ?? 100,
      expects: name,
    })),
    { name: "healthy", series: HEALTHY, atMinutes: 120, expects: "" },
  ];
  const file = join(folder, "scenarios.yml");
  writeFileSync(
    file,
    ["rule_files: [rules.yml]", "evaluation_interval: 10m", "tests:", ...scenarios.map(scenarioText), ""].join("\n"),
  );
  const { status, stdout, stderr } = spawnSync(await findInstalled("promtool"), ["test", "rules", file], {
    encoding: "utf8",
  });
  expect([status, stdout, stderr].join("\n")).toMatch(/^0\n/);
  expect(Object.keys(FAULTS).sort()).toEqual(ALERTS.map(({ name }) => name).sort());
  expect(rules.match(/- alert:/g)).toHaveLength(ALERTS.length);
});

test("each alert links to a section of the runbook with its commands", () => {
  const runbook = readFileSync("docs/operations.md", "utf8");
  for (const { name, runbook: url } of ALERTS) {
    expect(url).toBe(`{{ $externalLabels.imprint_url }}/docs/operations#${name.toLowerCase()}`);
    const section = runbook.split(`\n### ${name}\n`)[1]?.split("\n### ")[0]?.split("\n## ")[0] ?? "";
    expect(section, name).toMatch(/```bash\n.+/);
  }
});
