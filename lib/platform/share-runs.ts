/** Calls during a run share it; the next call after it starts another. */
export function oncePerRun<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= run().finally(() => {
      running = undefined;
    }));
}

/** All calls share one read, until one fails: the next call then reads again. */
export function onceUnlessFailed<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () =>
    (reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    }));
}
