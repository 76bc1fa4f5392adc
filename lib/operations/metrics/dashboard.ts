import { DECLARED, type Declared, type MetricName } from "@/lib/platform/metrics";

/** Rows of the dashboard, with the metrics in each. */
const ROWS: readonly { title: string; metrics: readonly MetricName[] }[] = [
  { title: "Requests", metrics: ["imprint_http_requests_total", "imprint_http_request_duration_seconds"] },
  {
    title: "Visits",
    metrics: [
      "imprint_submissions_total",
      "imprint_rules_fired_total",
      "imprint_matches_total",
      "imprint_deliveries_total",
    ],
  },
  { title: "Limits", metrics: ["imprint_permits_refused_total", "imprint_limiter_fallbacks_total"] },
  {
    title: "Processes",
    metrics: [
      "imprint_event_loop_lag_seconds",
      "imprint_process_memory_bytes",
      "imprint_process_cpu_seconds_total",
      "imprint_processes",
      "imprint_unwritten_lines",
      "imprint_build_info",
    ],
  },
  {
    title: "Statements",
    metrics: ["imprint_statement_duration_seconds", "imprint_statement_failures_total", "imprint_pool_wait_seconds"],
  },
];

const isShownAbove = (name: string) => ROWS.some(({ metrics }) => metrics.some((shown) => shown === name));
const withPrefix = (prefix: string) =>
  (Object.keys(DECLARED) as MetricName[]).filter((name) => name.startsWith(prefix) && !isShownAbove(name)); // safe: the names of DECLARED

const ALL_ROWS = [
  ...ROWS,
  { title: "Background jobs", metrics: withPrefix("imprint_job_") },
  { title: "Database", metrics: [...withPrefix("imprint_database_"), ...withPrefix("imprint_partitions")] },
  { title: "Read replica", metrics: withPrefix("imprint_replica_") },
  { title: "Purchases", metrics: withPrefix("imprint_purchases") },
  { title: "Webhooks", metrics: withPrefix("imprint_webhook_") },
  { title: "Disk and backup", metrics: [...withPrefix("imprint_disk_"), ...withPrefix("imprint_backup_")] },
];

const unitOf = (name: string): string => {
  if (name.endsWith("_timestamp_seconds")) return "dateTimeAsIso";
  if (name.includes("seconds")) return name.endsWith("_total") ? "percentunit" : "s";
  return name.endsWith("_bytes") ? "bytes" : "short";
};

function expressionsOf(name: MetricName): { expr: string; legendFormat: string }[] {
  const { type, labels }: Declared = DECLARED[name];
  const legendFormat = labels.map((label) => `{{${label}}}`).join(" ");
  const by = labels.length === 0 ? "" : ` by (${labels.join(", ")})`;
  if (type === "counter") return [{ expr: `sum${by} (rate(${name}[$__rate_interval]))`, legendFormat }];
  if (type === "gauge") return [{ expr: name.endsWith("_timestamp_seconds") ? `${name} * 1000` : name, legendFormat }];
  const le = ["le", ...labels].join(", ");
  return [0.5, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (${le}) (rate(${name}_bucket[$__rate_interval])))`,
    legendFormat: `p${quantile * 100} ${legendFormat}`.trim(),
  }));
}

const [WIDTH, HEIGHT] = [12, 8];
const datasource = { type: "prometheus", uid: "${datasource}" };

function panelOf(name: MetricName, id: number, gridPos: { x: number; y: number }) {
  return {
    id,
    type: "timeseries",
    title: name,
    description: DECLARED[name].help,
    datasource,
    gridPos: { ...gridPos, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit: unitOf(name) }, overrides: [] },
    options: { legend: { displayMode: "table", placement: "right", calcs: ["lastNotNull", "max"] } },
    targets: expressionsOf(name).map((target, index) => ({ refId: "ABC"[index], datasource, ...target })),
  };
}

/** Builds the Grafana dashboard of all declared metrics. */
export function dashboard() {
  let [id, y] = [0, 0];
  const panels: object[] = [];
  for (const { title, metrics } of ALL_ROWS) {
    panels.push({ id: (id += 1), type: "row", title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] });
    y += 1;
    for (const [index, name] of metrics.entries()) {
      panels.push(panelOf(name, (id += 1), { x: (index % 2) * WIDTH, y: y + Math.floor(index / 2) * HEIGHT }));
    }
    y += Math.ceil(metrics.length / 2) * HEIGHT;
  }
  return {
    title: "Imprint",
    uid: "imprint",
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }] },
    panels,
  };
}
