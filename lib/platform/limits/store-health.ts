import { log } from "@/lib/platform/log";

/** Minimum interval between tries of a failed store; meanwhile each process decides by itself. */
const RETRY_MS = 1_000;
/** Minimum interval between reports of a store that fails repeatedly. */
const REPORT_MS = 60_000;

/** Availability of a store as seen by this process. */
export type StoreHealth = {
  /** Whether to decide without the store; false for one caller per retry interval. */
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
      log.warn({ err: error }, "the rate limit store is unavailable: each process enforces the limits by itself");
    },
  };
}
