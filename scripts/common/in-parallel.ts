/** The integers from `from` on, `count` of them. */
export function* integers(count: number, from = 0): Generator<number, void> {
  for (let next = from; next < from + count; next += 1) yield next;
}

/** Runs `work` for every item, at most `atOnce` at a time; the results are in the order of the items. */
export async function inParallel<T, R>(
  atOnce: number,
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let started = 0;
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const index = started;
      started += 1;
      results[index] = await work(next.value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
