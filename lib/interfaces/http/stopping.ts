const stopping = new AbortController();

/** Aborted when the process stops, for answers that would otherwise never end and so block shutdown. */
export const stoppingSignal: AbortSignal = stopping.signal;

/** Ends all open-ended answers. Call it before waiting for requests in flight. */
export const endOpenStreams = (): void => {
  stopping.abort();
};
