import { expect, test } from "vitest";

import { ERRORS } from "@/lib/contract/errors";
import { DECLARED, loadRegistry, type Recorder } from "./index";

const { createRegistry, renderFigures, addEnded } = await loadRegistry();

test("counters of several processes are summed, and a max gauge is that of the slowest", async () => {
  const [first, second] = [createRegistry(["submitImprint"]), createRegistry(["submitImprint"])];
  for (const { recorder } of [first, second]) {
    recorder.count("imprint_http_requests_total", { operation: "submitImprint", status: "201", code: "ok" });
    recorder.observe("imprint_http_request_duration_seconds", { operation: "submitImprint" }, 0.004);
  }
  first.recorder.set("imprint_event_loop_lag_seconds", { quantile: "p99" }, 0.5);
  second.recorder.set("imprint_event_loop_lag_seconds", { quantile: "p99" }, 0.1);
  const text = await renderFigures([first.read(), second.read()]);
  expect(text).toContain('imprint_http_requests_total{operation="submitImprint",status="201",code="ok"} 2');
  expect(text).toContain('imprint_http_request_duration_seconds_bucket{le="0.005",operation="submitImprint"} 2');
  expect(text).toContain('imprint_http_request_duration_seconds_bucket{le="0.0025",operation="submitImprint"} 0');
  expect(text).toContain('imprint_event_loop_lag_seconds{quantile="p99"} 0.5');
});

test("counters of ended processes are kept, their gauges are dropped", async () => {
  const [old, young] = [createRegistry([]), createRegistry([])];
  old.recorder.count("imprint_rules_fired_total", { rule: "automation.webdriver-flag" }, 7);
  old.recorder.set("imprint_processes", {}, 1);
  young.recorder.count("imprint_rules_fired_total", { rule: "automation.webdriver-flag" });
  young.recorder.set("imprint_processes", {}, 1);
  const ended = await addEnded(await addEnded([], old.read()), createRegistry([]).read());
  const text = await renderFigures([ended, young.read()]);
  expect(text).toContain('imprint_rules_fired_total{rule="automation.webdriver-flag"} 8');
  expect(text).toContain("imprint_processes 1\n");
});

test("no label has a value chosen by a caller, and the number of values is bounded", async () => {
  const { recorder, read } = createRegistry(["submitImprint"]);
  const chosen = [
    "ws_0193a1b2c3d4e5f6",
    "svc_live_abc12345",
    "198.51.100.7",
    "2001:db8::1",
    "https://x.example",
    "a\nb",
    "",
  ];
  for (const value of chosen) {
    recorder.count("imprint_http_requests_total", { operation: value, status: value, code: value });
    recorder.count("imprint_rules_fired_total", { rule: value });
    recorder.observe("imprint_statement_duration_seconds", { statement: value }, 1);
  }
  const letters = (index: number) => String(index).replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
  for (let index = 0; index < 5_000; index += 1)
    recorder.count("imprint_rules_fired_total", { rule: `rule.${letters(index)}` });
  const text = await renderFigures([read()]);
  for (const value of chosen.filter((each) => each !== "")) expect(text).not.toContain(value);
  expect(text).toContain('imprint_http_requests_total{operation="other",status="other",code="other"} 7');
  expect(text.match(/^imprint_rules_fired_total/gm)?.length).toBeLessThanOrEqual(301);
});

test("names of statements, rules, jobs and tables are accepted unchanged", async () => {
  const { recorder, read } = createRegistry([]);
  const names = ["take permits and read", "select account_links", "automation.webdriver-flag", "erase-old-signals"];
  for (const statement of names) recorder.observe("imprint_statement_duration_seconds", { statement }, 1);
  const text = await renderFigures([read()]);
  for (const name of names) expect(text).toContain(`statement="${name}"`);
});

test("every error code of the contract is an accepted label value", async () => {
  const { recorder, read } = createRegistry([]);
  for (const code of Object.keys(ERRORS))
    recorder.count("imprint_http_requests_total", { operation: "other", status: "400", code });
  const text = await renderFigures([read()]);
  expect(text).not.toContain('code="other"');
});

/** All metrics recorded for one submission. */
function countSubmission(recorder: Recorder): void {
  recorder.observe("imprint_statement_duration_seconds", { statement: "take permits and read" }, 0.002);
  recorder.observe("imprint_statement_duration_seconds", { statement: "store visit" }, 0.003);
  recorder.count("imprint_submissions_total", { outcome: "stored", verdict: "PASS" });
  recorder.count("imprint_matches_total", { outcome: "token" });
  recorder.count("imprint_rules_fired_total", { rule: "automation.webdriver-flag" });
  recorder.count("imprint_http_requests_total", { operation: "submitImprint", status: "201", code: "ok" });
  recorder.observe("imprint_http_request_duration_seconds", { operation: "submitImprint" }, 0.004);
}

test("recording all metrics of a submission takes less than 3 microseconds", () => {
  const { recorder } = createRegistry(["submitImprint"]);
  const RUNS = 5_000;
  // CPU time, the minimum of 20 runs: what a busy machine adds is not the cost.
  const timesMicros = Array.from({ length: 20 }, () => {
    const before = process.cpuUsage();
    for (let index = 0; index < RUNS; index += 1) countSubmission(recorder);
    return process.cpuUsage(before).user / RUNS;
  });
  expect(Math.min(...timesMicros)).toBeLessThan(3);
});

test("every metric has our prefix, and every counter the suffix that Prometheus requires", () => {
  for (const [name, { type }] of Object.entries(DECLARED)) {
    expect(name).toMatch(/^imprint_[a-z_]+$/);
    expect(name.endsWith("_total")).toBe(type === "counter");
  }
});
