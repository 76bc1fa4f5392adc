import { keepReserve } from "@/db/embedded-reserve";
import type { Stopper } from "@/lib/interfaces/http/server/stopper";
import { log } from "@/lib/platform/log";

const RESERVE_EVERY_MS = 10 * 60_000;

/** Makes the reserve once the service has run for a while, and again after it was used, until the service stops. */
export function maintainReserve(folder: string, stopper: Pick<Stopper, "onStop">, bytes?: number): void {
  const timer = setInterval(() => {
    keepReserve(folder, bytes).catch((error: unknown) => {
      log.debug({ err: error }, "the reserve of disk space was not made");
    });
  }, RESERVE_EVERY_MS);
  timer.unref();
  stopper.onStop({
    name: "reserve",
    timeoutMs: 1_000,
    close: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  });
}
