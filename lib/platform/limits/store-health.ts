import { log } from "@/lib/platform/log";

/** After a failure the store is tried again at most this often; meanwhile each process decides for itself. */
const RETRY_MS = 1_000;
/** A store that fails again and again is reported at most this often. */
const REPORT_MS = 60_000;

/** Whether a store answers, as this process sees it. */
export type StoreHealth = {
  /** Whether a decision has to be made without the store; false for one caller in each retry interval. */
  isSuspended: () => boolean;
  onAnswer: () => void;
  onFailure: (error: unknown) => void;
};

export function createStoreHealth(): StoreHealth {
  let failedAt: number | undefined;
  let retryAt = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return {
    isSuspended() {
      if (failedAt === undefined) return false;
      const now = performance.now();
      if (now < retryAt) return true;
      retryAt = now + RETRY_MS;
      return false;
    },
    onAnswer() {
      if (failedAt === undefined) return;
      const seconds = Math.round((performance.now() - failedAt) / 1000);
      failedAt = undefined;
      if (isReported) log.warn({ seconds }, "the rate limit store answers again");
      isReported = false;
    },
    onFailure(error) {
      const now = performance.now();
      retryAt = now + RETRY_MS;
      failedAt ??= now;
      if (isReported || now - reportedAt < REPORT_MS) return;
      [reportedAt, isReported] = [now, true];
      log.warn({ err: error }, "the rate limit store is unavailable: each process enforces the limits for itself");
    },
  };
}
