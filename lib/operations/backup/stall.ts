import type { Readable, Writable } from "node:stream";

const CHECK_MS = 5_000;
const TIMEOUT_MS = 120_000;

/**
 * Ends a stream from or to the database on which nothing moves for two minutes: after some failures of a connection the
 * driver never settles, and no deadline of the whole would fit every size. `touch` says that something moved.
 */
export function failWhenStalled(stream: Readable | Writable, what: string): { touch: () => void } {
  let lastAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - lastAt > TIMEOUT_MS)
      stream.destroy(new Error(`${what}: nothing moved for ${TIMEOUT_MS / 1000} s`));
  }, CHECK_MS);
  timer.unref();
  stream.once("close", () => {
    clearInterval(timer);
  });
  return {
    touch() {
      lastAt = performance.now();
    },
  };
}
