import { z } from "zod";

import { httpUrl, port } from "./env-values";

/** Variables of logs, metrics and traces. */
export const observationVariables = {
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info").describe("Minimum severity to log."),
  LOG_ACCESS: z.stringbool().default(false).describe("Log every request at `info`: operation, status and duration."),
  LOG_SLOW_MS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe("Milliseconds after which a request or database statement is logged at `warn`."),
  METRICS_PORT: port
    .optional()
    .describe("Port for `/metrics` (Prometheus), separate from the service's. Without it no metrics are collected."),
  METRICS_HOST: z
    .string()
    .default("127.0.0.1")
    .describe("Address to listen on for `/metrics`. It has no authentication: make it reachable for monitoring only."),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe("OpenTelemetry collector that receives traces over OTLP/HTTP, e.g. `http://localhost:4318`."),
  OTEL_SERVICE_NAME: z.string().default("imprint").describe("Service name in traces."),
};
