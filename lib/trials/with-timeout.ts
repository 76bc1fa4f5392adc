import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/platform/log";

/** What `work` brings, or `late` when that takes too long. The work goes on; its failure is the reconciler's to mend. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, late: () => Promise<T>): Promise<T> {
  const answered = new AbortController();
  const tooLong = Symbol("too long");
  const timer = delay(milliseconds, tooLong, { signal: answered.signal }).catch(() => tooLong);
  const first = await Promise.race([work, timer]).finally(() => {
    answered.abort();
  });
  if (first !== tooLong) return first as T; // safe: only the timer resolves to the symbol
  work.catch((error: unknown) => {
    log.warn({ err: error }, "work on a payment failed after its request was answered");
  });
  return await late();
}
