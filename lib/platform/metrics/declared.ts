/** Boundaries of histograms, in seconds: from a statement on a warm cache to the deadline of one. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

export type Declared = {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: readonly string[];
  buckets?: readonly number[];
  /** How the figures of several processes become one. */
  over?: "sum" | "max" | "first";
};

const counter = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ type: "counter", help, labels }) as const;
const gauge = <const L extends readonly string[]>(help: string, labels: L, over: Declared["over"] = "sum") =>
  ({ type: "gauge", help, labels, over }) as const;
const histogram = <const L extends readonly string[]>(help: string, labels: L) =>
  ({ type: "histogram", help, labels, buckets: SECONDS }) as const;

/** Every metric of the service. Rules, dashboard and documents name these and no others. */
export const DECLARED = {
  imprint_build_info: gauge("Version of the running build; always 1.", ["version"], "first"),
  imprint_processes: gauge("Processes whose figures are in this answer.", []),
  imprint_http_requests_total: counter("Requests by operation, status and error code of the contract.", [
    "operation",
    "status",
    "code",
  ]),
  imprint_http_request_duration_seconds: histogram("Time until the answer of a request was written.", ["operation"]),
  imprint_permits_refused_total: counter("Requests refused by a rate limit.", ["limit"]),
  imprint_limiter_fallbacks_total: counter("Limits decided in the process, since their store did not answer.", []),
  imprint_submissions_total: counter("Submissions by what became of them, and the verdict of a stored one.", [
    "outcome",
    "verdict",
  ]),
  imprint_rules_fired_total: counter("Findings of stored visits by rule.", ["rule"]),
  imprint_matches_total: counter("Stored visits by how their device was found.", ["outcome"]),
  imprint_deliveries_total: counter("Deliveries of Reports that were not delivered before, or met another one.", [
    "outcome",
  ]),
  imprint_statement_duration_seconds: histogram("Time until the database answered a statement.", ["statement"]),
  imprint_statement_failures_total: counter("Statements that failed, by name and kind of failure.", [
    "statement",
    "failure",
  ]),
  imprint_pool_wait_seconds: histogram("Time that a statement or a transaction waited for a connection.", []),
  imprint_unwritten_lines: gauge("Lines in memory that wait to be written, by buffer.", ["buffer"]),
  imprint_event_loop_lag_seconds: gauge(
    "Lag of the event loop since the last answer; of the slowest process.",
    ["quantile"],
    "max",
  ),
  imprint_process_memory_bytes: gauge("Memory of all processes.", ["kind"]),
  imprint_process_cpu_seconds_total: counter("Processor time of all processes.", []),
  imprint_job_runs_total: counter("Runs of background jobs in this installation's processes.", ["job_name", "outcome"]),
  imprint_job_duration_seconds: gauge("Duration of the last run of a job in these processes.", ["job_name"], "max"),
  imprint_job_last_success_timestamp_seconds: gauge("When a job last succeeded, on any machine.", ["job_name"]),
  imprint_job_overdue_seconds: gauge("For how long a job has been due without running.", ["job_name"]),
  imprint_job_failing: gauge("1 when the last run of a job failed.", ["job_name"]),
  imprint_replica_connections: gauge("Connections to the read replica, by whether they are read from.", ["state"]),
  imprint_replica_lag_seconds: gauge(
    "How old the data of the read replica may be; absent while it has shown none.",
    [],
    "max",
  ),
  imprint_replica_fallbacks_total: counter("Statements for the read replica that the primary answered.", ["reason"]),
  imprint_database_up: gauge("1 when the database answered the last query of figures.", []),
  imprint_database_figures_age_seconds: gauge("Age of the figures that are read from the database.", []),
  imprint_database_writable: gauge("0 when the database takes no writes: read-only, or a standby.", []),
  imprint_database_clock_skew_seconds: gauge("Difference between the clocks of the database and this machine.", []),
  imprint_database_connections: gauge("Connections to the database server, of everybody.", []),
  imprint_database_max_connections: gauge("Connections that the database server allows ordinary roles.", []),
  imprint_database_size_bytes: gauge("Size of the database.", []),
  imprint_database_dead_tuples: gauge("Dead rows that vacuum has not removed, by table.", ["table"]),
  imprint_database_live_tuples: gauge("Rows by table, as the server estimates them.", ["table"]),
  imprint_database_oldest_transaction_seconds: gauge("Age of the oldest open transaction.", []),
  imprint_database_slot_retained_bytes: gauge("Write-ahead log that replication slots keep back.", []),
  imprint_partitions: gauge("Partitions by table.", ["table"]),
  imprint_partitions_missing: gauge("Partitions of this and the coming months that do not exist.", []),
  imprint_purchases: gauge("Purchases of Agent Trials by state.", ["state"]),
  imprint_purchases_unresolved_oldest_seconds: gauge("Age of the oldest payment whose outcome is unclear.", []),
  imprint_webhook_attempts_total: counter("Attempts to send a webhook by what they came to.", ["outcome"]),
  imprint_webhook_backlog: gauge(
    "Webhooks of active endpoints that wait to be sent, up to 10,000 of each endpoint.",
    [],
  ),
  imprint_webhook_overdue_seconds: gauge("For how long a webhook has been due to an endpoint that answers.", []),
  imprint_webhook_endpoints_disabled: gauge("Webhook endpoints that the service has disabled.", []),
  imprint_disk_free_bytes: gauge("Free space on the disk of the embedded database.", []),
  imprint_disk_size_bytes: gauge("Size of the disk of the embedded database.", []),
  imprint_backup_last_success_timestamp_seconds: gauge("When the last backup was complete.", []),
} as const satisfies Record<string, Declared>;

export type MetricName = keyof typeof DECLARED;
export type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof DECLARED)[Name]["labels"][number], string>>;
