import { z } from "zod";

import { httpUrl, port } from "./env-values";

/** Variables of the log, the metrics and the traces. */
export const observationVariables = {
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least severity that is logged."),
  LOG_ACCESS: z
    .stringbool()
    .default(false)
    .describe("A line for every request, of severity `info`: operation, status and duration."),
  LOG_SLOW_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe("Milliseconds beyond which a request and a database statement have a line, of severity `warn`."),
  METRICS_PORT: port
    .optional()
    .describe("Port of `/metrics` for Prometheus, apart from that of the service. Without it nothing is counted."),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address to listen on for `/metrics`. Anybody who reaches it may read: leave it to the monitoring."),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe("OpenTelemetry collector that gets traces over OTLP/HTTP, e.g. `http://localhost:4318`."),
  OTEL_SERVICE_NAME: z.string().default("imprint").describe("Name of this service in traces."),
};
