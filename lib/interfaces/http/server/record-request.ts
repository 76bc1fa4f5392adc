import { log } from "@/lib/platform/log";
import { logSettings } from "@/lib/platform/log-settings";
import { metrics } from "@/lib/platform/metrics";

/** A request that was answered. */
export type AnsweredRequest = {
  operation: string;
  status: number;
  /** The contract's error code; `ok`, or `other` where no code of ours says what was wrong. */
  code: string;
  requestId: string;
  durationMs: number;
  /** A stream is open for as long as its client listens: that is no latency. */
  isStream: boolean;
  /** Whether its failure has a line in the log already. */
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

/** Counts a request that was answered, and writes its line if it has one. */
export function recordRequest(request: AnsweredRequest): void {
  const { operation, status, code, durationMs, isStream } = request;
  const recorder = metrics();
  if (recorder) {
    recorder.count("imprint_http_requests_total", { operation, status: String(status), code });
    if (!isStream) recorder.observe("imprint_http_request_duration_seconds", { operation }, durationMs / 1000);
  }
  writeLine(request);
}
