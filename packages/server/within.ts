import { ImprintServerError } from "./error";

const aborted = () => new ImprintServerError("aborted", "The call was aborted by its signal");

/**
 * Settles as `work` does, or fails once the time is over or the caller aborts, even when a `fetch` ignores its signal.
 * Listeners and timers are gone afterwards.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw aborted();
  const controller = new AbortController();
  let stop: (error: ImprintServerError) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error);
      controller.abort();
    };
  });
  const abort = () => {
    stop(aborted());
  };
  const timer = setTimeout(() => {
    stop(new ImprintServerError("timeout", "Imprint did not answer in time"));
  }, ms);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([stopped, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Waits, or fails as soon as the caller aborts. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  within(ms + 1000, signal, (ended) => {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      ended.addEventListener("abort", () => {
        clearTimeout(timer);
      });
    });
  });
