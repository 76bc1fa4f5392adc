import { log } from "./log";

/** Consecutive failures after which the cause is not a single item: the database is down, or everything is broken. */
const MAX_FAILURES_IN_A_ROW = 10;

/**
 * Processes items sequentially until `signal` is aborted. A failing item does not stop the rest.
 *
 * @returns the number of items that succeeded
 * @throws the first failure, after the last item or after ten consecutive failures
 */
export async function eachInTurn<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  let first: { error: unknown } | undefined;
  let inARow = 0;
  let done = 0;
  for await (const item of items) {
    if (signal.aborted) break;
    try {
      await work(item);
      done += 1;
      inARow = 0;
    } catch (error) {
      // The caller logs the first failure.
      if (first) log.warn({ err: error }, "background work failed for another item");
      else first = { error };
      inARow += 1;
      if (inARow === MAX_FAILURES_IN_A_ROW) break;
    }
  }
  if (first) throw first.error;
  return done;
}
