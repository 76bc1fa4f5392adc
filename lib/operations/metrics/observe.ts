import { isDatabaseUnavailable } from "@/db/client";
import { observeStatements } from "@/db/observe";
import { log } from "@/lib/platform/log";
import { logSettings } from "@/lib/platform/log-settings";
import { metrics } from "@/lib/platform/metrics";
import { tracer } from "@/lib/platform/tracing";

/** Sets up metrics, traces and logging of the statements that this process sends. */
export function observeDatabase(): void {
  observeStatements({
    sent(name) {
      const sentAt = performance.now();
      const endSpan = tracer()?.statement(name);
      return (failure) => {
        const durationMs = performance.now() - sentAt;
        endSpan?.(failure);
        const recorder = metrics();
        recorder?.observe("imprint_statement_duration_seconds", { statement: name }, durationMs / 1000);
        if (failure !== undefined) {
          const kind = isDatabaseUnavailable(failure) ? "unavailable" : "error";
          recorder?.count("imprint_statement_failures_total", { statement: name, failure: kind });
        }
        if (durationMs > logSettings().slowMs)
          log.warn({ statement: name, durationMs: Math.round(durationMs) }, "slow statement");
      };
    },
    waited: (seconds) => metrics()?.observe("imprint_pool_wait_seconds", {}, seconds),
  });
}
