import { linkSignals } from "@/lib/platform/link-signals";

/** The result of a task, or of `onEnd` after the timeout or an abort. The task continues; its result is ignored. */
export async function within<T>(
  task: Promise<T>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  onEnd: () => T,
): Promise<T> {
  const { signal: ends, unlink } = linkSignals(AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : []));
  const over = new Promise<T>((resolve) => {
    const end = () => {
      resolve(onEnd());
    };
    if (ends.aborted) end();
    else ends.addEventListener("abort", end, { once: true });
  });
  try {
    return await Promise.race([task, over]);
  } finally {
    unlink();
  }
}
