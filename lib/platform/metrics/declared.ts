/** Histogram buckets in seconds: from a statement on a warm cache up to the statement deadline. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

export type Declared = {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: readonly string[];
  buckets?: readonly number[];
  /** How the values of several processes are aggregated. */
  over?: "sum" | "max" | "first";
};

const counter = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ type: "counter", help, labels }) as const;
const gauge = <const L extends readonly string[]>(help: string, labels: L, over: Declared["over"] = "sum") =>
  ({ type: "gauge", help, labels, over }) as const;
const histogram = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ type: "histogram", help, labels, buckets: SECONDS }) as const;

/** Every metric of the service. Alert rules, dashboards and docs may only use these. */
export const DECLARED = {
  imprint_build_info: gauge("Version of the running build; always 1.", ["version"], "first"),
  imprint_processes: gauge("Processes included in this scrape.", []),
  imprint_http_requests_total: counter("Requests by operation, status and error code.", [
    "operation",
    "status",
    "code",
  ]),
  imprint_http_request_duration_seconds: histogram("Time until the response to a request was written.", ["operation"]),
  imprint_permits_refused_total: counter("Requests refused by a rate limit.", ["limit"]),
  imprint_limiter_fallbacks_total: counter("Limits decided in the process because the store did not answer.", []),
  imprint_submissions_total: counter("Submissions by outcome, and by verdict if stored.", ["outcome", "verdict"]),
  imprint_rules_fired_total: counter("Findings on stored visits, by rule.", ["rule"]),
  imprint_matches_total: counter("Stored visits by how their device was recognised.", ["outcome"]),
  imprint_deliveries_total: counter("First deliveries of Reports, and races between two of them.", ["outcome"]),
  imprint_statement_duration_seconds: histogram("Time until the database answered a statement.", ["statement"]),
  imprint_statement_failures_total: counter("Statements that failed, by name and kind of failure.", [
    "statement",
    "failure",
  ]),
  imprint_pool_wait_seconds: histogram("Time that a statement or transaction waited for a connection.", []),
  imprint_unwritten_lines: gauge("Buffered lines waiting to be written, by buffer.", ["buffer"]),
  imprint_event_loop_lag_seconds: gauge(
    "Event loop lag since the last scrape, of the slowest process.",
    ["quantile"],
    "max",
  ),
  imprint_process_memory_bytes: gauge("Memory of all processes.", ["kind"]),
  imprint_process_cpu_seconds_total: counter("CPU time of all processes.", []),
  imprint_job_runs_total: counter("Runs of background jobs in this installation's processes.", ["job_name", "outcome"]),
  imprint_job_duration_seconds: gauge("Duration of a job's last run in these processes.", ["job_name"], "max"),
  imprint_job_last_success_timestamp_seconds: gauge("Time of a job's last success, on any machine.", ["job_name"]),
  imprint_job_overdue_seconds: gauge("How long a job has been due without running.", ["job_name"]),
  imprint_job_failing: gauge("1 if the last run of a job failed.", ["job_name"]),
  imprint_replica_connections: gauge("Connections to the read replica, by whether they are in use for reads.", [
    "state",
  ]),
  imprint_replica_lag_seconds: gauge(
    "Upper bound of the read replica's lag; absent until it has been observed.",
    [],
    "max",
  ),
  imprint_replica_fallbacks_total: counter("Statements meant for the read replica that the primary answered.", [
    "reason",
  ]),
  imprint_database_up: gauge("1 if the last query for database metrics succeeded.", []),
  imprint_database_figures_age_seconds: gauge("Age of the metrics that are read from the database.", []),
  imprint_database_writable: gauge("0 if the database accepts no writes: read-only, or a standby.", []),
  imprint_database_clock_skew_seconds: gauge("Clock difference between the database and this machine.", []),
  imprint_database_connections: gauge("Connections to the database server, from all clients.", []),
  imprint_database_max_connections: gauge("Maximum connections for ordinary database roles.", []),
  imprint_database_size_bytes: gauge("Size of the database.", []),
  imprint_database_dead_tuples: gauge("Dead rows that vacuum has not removed, by table.", ["table"]),
  imprint_database_live_tuples: gauge("Rows by table, as estimated by the server.", ["table"]),
  imprint_database_oldest_transaction_seconds: gauge("Age of the oldest open transaction that is not a backup's.", []),
  imprint_database_slot_retained_bytes: gauge("Write-ahead log retained by replication slots.", []),
  imprint_partitions: gauge("Partitions by table.", ["table"]),
  imprint_partitions_missing: gauge("Missing partitions for the current and coming months.", []),
  imprint_purchases: gauge("Purchases of Agent Trials by state.", ["state"]),
  imprint_purchases_unresolved_oldest_seconds: gauge("Age of the oldest payment whose outcome is unclear.", []),
  imprint_webhook_attempts_total: counter("Webhook delivery attempts by outcome.", ["outcome"]),
  imprint_webhook_backlog: gauge(
    "Webhooks of active endpoints waiting to be sent, counted up to 10,000 per endpoint.",
    [],
  ),
  imprint_webhook_overdue_seconds: gauge("How long a webhook has been due to an endpoint that answers.", []),
  imprint_webhook_endpoints_disabled: gauge("Webhook endpoints disabled by the service.", []),
  imprint_disk_free_bytes: gauge("Free space on the disk of the embedded database.", []),
  imprint_disk_size_bytes: gauge("Size of the disk of the embedded database.", []),
  imprint_backup_last_success_timestamp_seconds: gauge("Time at which the last backup completed.", []),
} as const satisfies Record<string, Declared>;

export type MetricName = keyof typeof DECLARED;
export type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof DECLARED)[Name]["labels"][number], string>>;
