import { setTimeout as delay } from "node:timers/promises";

import { log } from "@/lib/platform/log";

/** The result of `work`, or of `late` after the timeout. The work continues; if it fails, the reconciler repeats it. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number, late: () => Promise<T>): Promise<T> {
  const answered = new AbortController();
  const timedOut = Symbol("timed out");
  const timer = delay(milliseconds, timedOut, { signal: answered.signal }).catch(() => timedOut);
  const first = await Promise.race([work, timer]).finally(() => {
    answered.abort();
  });
  if (first !== timedOut) return first as T; // safe: only the timer resolves to the symbol
  work.catch((error: unknown) => {
    log.warn({ err: error }, "work on a payment failed after its request was answered");
  });
  return await late();
}
