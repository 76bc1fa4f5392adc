import { log } from "@/lib/platform/log";
import { logSettings } from "@/lib/platform/log-settings";
import { metrics } from "@/lib/platform/metrics";

/** A request that was answered. */
export type AnsweredRequest = {
  operation: string;
  status: number;
  /** The contract's error code; `ok`, or `other` for an error without one. */
  code: string;
  requestId: string;
  durationMs: number;
  /** Streams stay open as long as the client listens, so their duration is not a latency. */
  isStream: boolean;
  /** Whether its failure is already logged. */
  isLogged: boolean;
};

function writeLine({ operation, status, code, requestId, durationMs, isStream, isLogged }: AnsweredRequest): void {
  const { slowMs, access } = logSettings();
  const isFailed = status >= 500 && !isLogged;
  const isSlow = durationMs > slowMs && !isStream;
  if (!isFailed && !isSlow && !access) return;
  const line = { operation, status, code, durationMs: Math.round(durationMs), requestId };
  if (isFailed) log.error(line, "request failed");
  else if (isSlow) log.warn(line, "slow request");
  else log.info(line, "request");
}

/** Counts an answered request and logs it if required. */
export function recordRequest(request: AnsweredRequest): void {
  const { operation, status, code, durationMs, isStream } = request;
  const recorder = metrics();
  if (recorder) {
    recorder.count("imprint_http_requests_total", { operation, status: String(status), code });
    if (!isStream) recorder.observe("imprint_http_request_duration_seconds", { operation }, durationMs / 1000);
  }
  writeLine(request);
}
