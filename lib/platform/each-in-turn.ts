import { log } from "./log";

/** After so many failures in a row the fault is not an item's: the database is away, or everything is broken. */
const MAX_FAILURES_IN_A_ROW = 10;

/**
 * Works on one item after another until `signal` is aborted. An item that fails keeps no other from its turn.
 *
 * @returns how many items were done
 * @throws the first failure, once every item had its turn, or at once after ten in a row
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
      // The first one is for the caller to log.
      if (first) log.warn({ err: error }, "background work failed for one item more");
      else first = { error };
      inARow += 1;
      if (inARow === MAX_FAILURES_IN_A_ROW) break;
    }
  }
  if (first) throw first.error;
  return done;
}
