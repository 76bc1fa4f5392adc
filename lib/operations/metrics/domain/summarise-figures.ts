type Sample = { labels: Readonly<Record<string, string>>; value: number };
/** Samples by metric name, as in the text of `/metrics`. */
type Samples = ReadonlyMap<string, readonly Sample[]>;

export type FiguresSummary = {
  requests: number;
  /** Answers with a 5xx status. */
  failures: number;
  medianMs: number | undefined;
  p99Ms: number | undefined;
  /** The operations with the highest latency, slowest first. */
  slowest: { operation: string; requests: number; p99Ms: number }[];
  databaseP99Ms: number | undefined;
  eventLoopLagMs: number | undefined;
  /** Work that waits to be written, sent or run. */
  backlog: { unwrittenLines: number; webhooks: number; overdueJobs: string[] };
};

const LINE = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g;
const SLOWEST = 3;
/** Minimum requests for an operation's 99th percentile; with fewer it is just one of them. */
const MIN_REQUESTS = 20;

function parse(text: string): Samples {
  const samples = new Map<string, Sample[]>();
  for (const line of text.split("\n")) {
    const [, name, labels = "", value] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const parsed = Object.fromEntries([...labels.matchAll(LABEL)].map(([, key = "", text = ""]) => [key, text]));
    samples.set(name, [...(samples.get(name) ?? []), { labels: parsed, value: Number(value) }]);
  }
  return samples;
}

const sumOf = (samples: readonly Sample[] = []): number => samples.reduce((sum, { value }) => sum + value, 0);

/** The upper bound, in milliseconds, of the bucket that contains the quantile. */
function quantileMs(buckets: readonly Sample[] = [], share: number): number | undefined {
  const counts = new Map<number, number>();
  for (const { labels, value } of buckets) {
    const boundary = labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]);
    counts.set(boundary, (counts.get(boundary) ?? 0) + value);
  }
  const sorted = [...counts].toSorted(([a], [b]) => a - b);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all === 0) return undefined;
  const found = sorted.find(([, count]) => count >= all * share)?.[0];
  return found === undefined ? undefined : found * 1000;
}

function slowest(buckets: readonly Sample[] = []): FiguresSummary["slowest"] {
  const operations = new Map<string, Sample[]>();
  for (const sample of buckets) {
    const name = sample.labels["operation"] ?? "";
    operations.set(name, [...(operations.get(name) ?? []), sample]);
  }
  return [...operations]
    .flatMap(([operation, own]) => {
      const requests = sumOf(own.filter(({ labels }) => labels["le"] === "+Inf"));
      const p99Ms = quantileMs(own, 0.99);
      return p99Ms === undefined || requests < MIN_REQUESTS ? [] : [{ operation, requests, p99Ms }];
    })
    .toSorted((a, b) => b.p99Ms - a.p99Ms)
    .slice(0, SLOWEST);
}

/** Summarises the text of `/metrics` for display: counts since the processes started, and current values. */
export function summariseFigures(text: string): FiguresSummary {
  const samples = parse(text);
  const requests = samples.get("imprint_http_requests_total") ?? [];
  const durations = samples.get("imprint_http_request_duration_seconds_bucket");
  const lag = samples.get("imprint_event_loop_lag_seconds")?.map(({ value }) => value * 1000);
  const overdue = samples.get("imprint_job_overdue_seconds")?.filter(({ value }) => value > 60) ?? [];
  return {
    requests: sumOf(requests),
    failures: sumOf(requests.filter(({ labels }) => Number(labels["status"]) >= 500)),
    medianMs: quantileMs(durations, 0.5),
    p99Ms: quantileMs(durations, 0.99),
    slowest: slowest(durations),
    databaseP99Ms: quantileMs(samples.get("imprint_statement_duration_seconds_bucket"), 0.99),
    eventLoopLagMs: lag && lag.length > 0 ? Math.max(...lag) : undefined,
    backlog: {
      unwrittenLines: sumOf(samples.get("imprint_unwritten_lines")),
      webhooks: sumOf(samples.get("imprint_webhook_backlog")),
      overdueJobs: overdue.map(({ labels }) => labels["job_name"] ?? ""),
    },
  };
}
