import type { Readable, Writable } from "node:stream";

const CHECK_MS = 5_000;
const TIMEOUT_MS = 120_000;

/**
 * Destroys a database stream without progress for two minutes: after some connection failures the driver never settles,
 * and no overall deadline would fit every size. Call `touch` on progress.
 */
export function failWhenStalled(stream: Readable | Writable, what: string): { touch: () => void } {
  let lastAt = performance.now();
  const timer = setInterval(() => {
    if (performance.now() - lastAt > TIMEOUT_MS)
      stream.destroy(new Error(`${what}: no progress for ${TIMEOUT_MS / 1000} s`));
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
