const PING_INTERVAL_MS = 5_000;
/** Pings without an answer after which a worker gets no new connections while others answer, and after which it has hung. */
const SUSPECT_AFTER = 2;
const HUNG_AFTER = 6;

type Options = {
  ping: () => void;
  /** Called once, when the last pings had no answer. */
  onHung: (silentMs: number) => void;
  intervalMs?: number | undefined;
};

/**
 * Asks a worker regularly whether its event loop still turns. The pings that were sent count, not the time: a machine
 * that was suspended has sent none.
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
