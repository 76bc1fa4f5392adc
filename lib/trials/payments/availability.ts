import type { PaymentAvailability } from "./payments";

/** A good answer is served this long, */
const FRESH_MS = 15_000;
/** and while it is renewed behind it, this long: the catalog does not wait for a slow facilitator. */
const STALE_MS = 120_000;
const RETRY_MS = 3_000;

type Known = { availability: PaymentAvailability; checkedAt: number };

/**
 * Keeps what `check` found for some seconds, and runs it once at a time.
 *
 * @param elapsedMs a clock that only goes forward
 */
export function createAvailability(
  check: () => Promise<PaymentAvailability>,
  elapsedMs: () => number = () => performance.now(),
) {
  let known: Known | undefined;
  let running: Promise<PaymentAvailability> | undefined;

  const renew = (): Promise<PaymentAvailability> => {
    running ??= check()
      .catch((): PaymentAvailability => ({
        available: false,
        missing: ["The payment configuration cannot be checked"],
      }))
      .then((availability) => {
        known = { availability, checkedAt: elapsedMs() };
        return availability;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return async (): Promise<PaymentAvailability> => {
    if (!known) return await renew();
    const { availability, checkedAt } = known;
    const age = elapsedMs() - checkedAt;
    if (age < (availability.available ? FRESH_MS : RETRY_MS)) return availability;
    const renewed = renew();
    return availability.available && age < STALE_MS ? availability : await renewed;
  };
}
