const stopping = new AbortController();

/** Aborted when the process stops: for answers that would never end by themselves, and so hold the stop up. */
export const stoppingSignal: AbortSignal = stopping.signal;

/** Ends every answer that has no end of its own. Call it before waiting for requests in flight. */
export const endOpenStreams = (): void => {
  stopping.abort();
};
