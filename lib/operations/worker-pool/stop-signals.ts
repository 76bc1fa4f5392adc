/**
 * Time in which signals are one wish. Ctrl-C in a terminal reaches npm and the service at once, and npm passes its own
 * on; so does whoever signals a whole process group.
 */
const ONE_WISH_MS = 1_000;

type Options = {
  /** Called with each signal of the first wish; harmless when it is repeated. */
  stop: () => void;
  /** Called when somebody does not want to wait for that. */
  giveUp: () => void;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
};

/** What a process does on signals that ask it to end: the first wish stops it in order, a later one at once. */
export function createStopSignals({ stop, giveUp, clock = () => performance.now() }: Options): () => void {
  let firstAt: number | undefined;
  return () => {
    firstAt ??= clock();
    if (clock() - firstAt > ONE_WISH_MS) giveUp();
    else stop();
  };
}
