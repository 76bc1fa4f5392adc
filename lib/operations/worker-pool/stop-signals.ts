/**
 * Time in which repeated signals count as one. Ctrl-C in a terminal reaches npm and the service at once, and npm then
 * forwards its own signal; the same happens with a signal to the whole process group.
 */
const REPEAT_WINDOW_MS = 1_000;

type Options = {
  /** Called with each signal within the window; safe to repeat. */
  stop: () => void;
  /** Called with a later signal. */
  abort: () => void;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
};

/** Handles stop signals: the first one stops the process in order, one after the window aborts it. */
export function createStopSignals({ stop, abort, clock = () => performance.now() }: Options): () => void {
  let firstAt: number | undefined;
  return () => {
    firstAt ??= clock();
    if (clock() - firstAt > REPEAT_WINDOW_MS) abort();
    else stop();
  };
}
