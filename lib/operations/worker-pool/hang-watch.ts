const PING_INTERVAL_MS = 5_000;
/**
 * Unanswered pings after which a worker gets no new connections while others respond, and after which it counts as
 * hung.
 */
const SUSPECT_AFTER = 2;
const HUNG_AFTER = 6;

type Options = {
  ping: () => void;
  /** Called once, when the worker counts as hung. */
  onHung: (silentMs: number) => void;
  intervalMs?: number | undefined;
};

/**
 * Regularly checks whether a worker's event loop is running. It counts pings instead of time, because a suspended
 * machine sends none.
 */
export function watchForHang({ ping, onHung, intervalMs = PING_INTERVAL_MS }: Options) {
  let unanswered = 0;
  const stop = () => {
    clearInterval(timer);
  };
  const timer = setInterval(() => {
    if (unanswered >= HUNG_AFTER) {
      stop();
      onHung(unanswered * intervalMs);
      return;
    }
    unanswered += 1;
    ping();
  }, intervalMs).unref();
  return {
    noteAnswer() {
      unanswered = 0;
    },
    isSuspect: () => unanswered > SUSPECT_AFTER,
    stop,
  };
}
