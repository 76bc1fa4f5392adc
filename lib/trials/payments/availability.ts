import type { PaymentAvailability } from "./payments";

const FRESH_MS = 15_000;
/** Stale-while-revalidate, so that the catalog does not wait for a slow facilitator. */
const STALE_MS = 120_000;
const RETRY_MS = 3_000;

type Cached = { availability: PaymentAvailability; checkedAt: number };

/**
 * Caches the result of `check` for `FRESH_MS`, and runs at most one check at a time.
 *
 * @param elapsedMs a monotonic clock
 */
export function createAvailability(
  check: () => Promise<PaymentAvailability>,
  elapsedMs: () => number = () => performance.now(),
) {
  let cached: Cached | undefined;
  let running: Promise<PaymentAvailability> | undefined;

  const refresh = (): Promise<PaymentAvailability> => {
    running ??= check()
      .catch((): PaymentAvailability => ({
        available: false,
        missing: ["The payment configuration cannot be checked"],
      }))
      .then((availability) => {
        cached = { availability, checkedAt: elapsedMs() };
        return availability;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return async (): Promise<PaymentAvailability> => {
    if (!cached) return await refresh();
    const { availability, checkedAt } = cached;
    const age = elapsedMs() - checkedAt;
    if (age < (availability.available ? FRESH_MS : RETRY_MS)) return availability;
    const refreshed = refresh();
    return availability.available && age < STALE_MS ? availability : await refreshed;
  };
}
