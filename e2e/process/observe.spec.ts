import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";

import { examinePublic } from "@/lib/operations/instance";
import { DECLARED } from "@/lib/platform/metrics";
import releases from "@/releases/component/releases.json";
import { createTestDatabase } from "@/test/database";
import { createSite, type Site } from "@/test/visits";
import { readReport, type RunningService, startService, TEST_SECRETS, visit } from "../service";
import { startCollector } from "./collector";
import { primaryOf, workersOf } from "./processes";
import { startPrometheus } from "./prometheus";
import { makeDataDir, removeDataDir, runAdmin } from "./service";

const soon = { timeout: 30_000, interval: 100 };
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

const { db, url: databaseUrl } = await createTestDatabase({ poolSize: 2 });
const dataDir = makeDataDir();
/** The log level is changed through a file in the data folder, so the command must be a separate process. */
const runInFolder = async (...argv: string[]) => {
  const { code, stderr } = await runAdmin(argv, {
    dataDir,
    environment: { ...TEST_SECRETS, DATABASE_URL: databaseUrl },
  });
  expect([code, stderr]).toEqual([0, ""]);
};
let service: RunningService;
let collector: Awaited<ReturnType<typeof startCollector>>;
let site: Site;
let imprint: string;

beforeAll(async () => {
  collector = await startCollector();
  const environment = {
    ...TEST_SECRETS,
    WORKERS: "2",
    METRICS_PORT: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: "200",
    TRUSTED_PROXIES: "loopback",
    LOG_LEVEL: "info",
  };
  service = await startService({ dataDir, databaseUrl, environment });
  site = await createSite(db);
  imprint = await visit(service.url, site, { headers: { "X-Forwarded-For": "198.51.100.77" } });
});
afterAll(async () => {
  await service.stop();
  collector.close();
  removeDataDir(dataDir);
});

const metricsUrl = () => /^Metrics\s+(\S+)$/m.exec(service.output())?.[1] ?? "";
const scrape = async () => (await fetch(metricsUrl())).text();
const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  );
const linesOf = (message: string) =>
  service
    .output()
    .split("\n")
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const readOne = (headers: Record<string, string> = {}) => readReport(service.url, site.apiKey, imprint, headers);
const READS = 'imprint_http_requests_total{operation="readReport",status="200",code="ok"}';

test("one scrape has the sum over all processes, and counters continue when every worker is replaced", async () => {
  for (let index = 0; index < 12; index += 1) await (await readOne()).text();
  const before = await scrape();
  expect(valueOf(before, READS)).toBe(12);
  expect(valueOf(before, "imprint_processes")).toBe(4);
  expect(before).toMatch(/^imprint_submissions_total\{outcome="stored",verdict="(PASS|SUSPICIOUS|DECEPTIVE)"\} 1$/m);
  expect(before).toMatch(/^imprint_matches_total\{outcome="\w+"\} 1$/m);
  expect(valueOf(before, 'imprint_deliveries_total{outcome="delivered"}')).toBe(1);
  expect(valueOf(before, 'imprint_statement_duration_seconds_count{statement="read key and report"}')).toBe(12);
  expect(valueOf(before, "imprint_database_up")).toBe(1);
  expect(valueOf(before, "imprint_database_writable")).toBe(1);
  expect(valueOf(before, 'imprint_partitions{table="visits"}')).toBeGreaterThanOrEqual(4);
  const old = workersOf(service);
  process.kill(primaryOf(service), "SIGUSR2");
  await expect.poll(service.output, { timeout: 90_000, interval: 100 }).toContain("All workers have been replaced");
  expect(workersOf(service).filter((id) => old.includes(id))).toEqual([]);
  await (await readOne()).text();
  const after = await scrape();
  expect(valueOf(after, READS)).toBe(13);
  expect(valueOf(after, "imprint_processes")).toBe(4);
});

test("a scrape contains only declared metrics, and nothing about tenants, callers or secrets", async () => {
  const unknown = `svc_live_${"x".repeat(40)}`;
  await (await readReport(service.url, unknown, imprint)).text();
  await (await fetch(`${service.url}/w/${site.workspaceId}/nothing?token=${unknown}`, { redirect: "manual" })).text();
  await (await fetch(`${service.url}/api/v1/${site.workspaceId}`, { method: "PATCH" })).text();
  const text = await scrape();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(names.sort()).toEqual(Object.keys(DECLARED).sort());
  const secrets = [site.workspaceId, site.apiKey, site.environmentId, site.webAppId, imprint, unknown, "198.51.100.77"];
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.split("_").at(-1));
  }
  expect(text).toContain('operation="readReport",status="401",code="auth_failed"');
  expect((await fetch(metricsUrl().replace("/metrics", "/"))).status).toBe(404);
  expect((await fetch(metricsUrl(), { method: "POST" })).status).toBe(404);
  expect((await fetch(`${service.url}/metrics`, { redirect: "manual" })).status).not.toBe(200);
});

test("a trace is continued with a span for the operation and one per statement, without secrets", async () => {
  await (await readOne({ traceparent: `00-${TRACE}-${CALLER}-01` })).text();
  // A process that has not used the key or the database before looks them up first.
  const ofTrace = () =>
    collector.spans.filter(({ traceId, name }) => traceId === TRACE && !/^(?:look key up|find shards)$/.test(name));
  const expected = ["read key and report", "readReport", "take permits"];
  await expect
    .poll(
      () =>
        ofTrace()
          .map(({ name }) => name)
          .sort(),
      soon,
    )
    .toEqual(expected);
  const [request] = ofTrace().filter(({ name }) => name === "readReport");
  expect(request?.parentSpanId).toBe(CALLER);
  for (const { name, parentSpanId } of ofTrace()) if (name !== "readReport") expect(parentSpanId).toBe(request?.spanId);
  expect(request?.attributes.map(({ key }) => key).sort()).toEqual([
    "http.response.status_code",
    "imprint.code",
    "imprint.request_id",
  ]);
  for (const secret of [site.apiKey, site.workspaceId, imprint, "198.51.100.77"])
    expect(collector.raw()).not.toContain(secret);
});

test("a command changes the log level of every running process, and back", async () => {
  expect(linesOf("request")).toEqual([]);
  await runInFolder("log", "set", "--access", "--slow-ms", "1", "--for", "5m");
  await expect
    .poll(async () => {
      for (let index = 0; index < 4; index += 1) await (await fetch(`${service.url}/healthz`)).text();
      return linesOf("request").filter(({ operation }) => operation === "health").length;
    }, soon)
    .toBeGreaterThan(0);
  await runInFolder("log", "reset");
});

test("the outside check finds everything but TLS as clients need it", async () => {
  const facts = await examinePublic({
    url: new URL(service.url),
    now: new Date(),
    component: releases.at(-1)?.files ?? {},
  });
  expect(facts.filter(({ status }) => status !== "ok").map(({ name, text }) => `${name}: ${text}`)).toEqual([
    `public-tls: ${service.url}/ is not https.`,
  ]);
  expect(facts).toHaveLength(8);
});

test("Prometheus scrapes the service, a broken table fires its alerts, and the log names the statement", async () => {
  const prometheus = await startPrometheus(metricsUrl());
  try {
    await db.execute(sql`alter table report_deliveries rename to hidden_deliveries`);
    const firing = async () => {
      await (await readOne()).text();
      return prometheus.firing();
    };
    await expect.poll(firing, soon).toEqual(expect.arrayContaining(["ImprintRequestsFail", "ImprintStatementsFail"]));
    expect(await firing()).not.toContain("ImprintDown");
    const [line] = linesOf("request failed");
    expect(line).toMatchObject({ operation: "readReport", status: 500, statement: "read key and report" });
    expect(line?.["durationMs"]).toEqual(expect.any(Number));
    expect(line?.["traceId"]).toMatch(/^[0-9a-f]{32}$/);
  } finally {
    await db.execute(sql`alter table hidden_deliveries rename to report_deliveries`);
    await prometheus.stop();
  }
});
