import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";

import { log } from "./log";

/**
 * V8 collects old objects when new ones need their space: a process that a burst of load has filled keeps the garbage,
 * and its memory, for as long as it is idle afterwards. Such a process is collected here.
 */

const SAMPLE_INTERVAL_MS = 10_000;
/** Share of the interval in which the event loop had work. A collection stops it for 0.2 to 0.3 s. */
const MAX_UTILIZATION = 0.05;
/** More than the space for new objects takes while there is little to do: that grows again after each collection. */
const MIN_GROWTH_BYTES = 64 * 1024 ** 2;

/** @param sample `leastBytes` is the least that was held since the last collection */
export const isCollectionDue = (
  sample: { utilization: number; heldBytes: number; leastBytes: number },
  maxUtilization = MAX_UTILIZATION,
): boolean => sample.utilization <= maxUtilization && sample.heldBytes - sample.leastBytes >= MIN_GROWTH_BYTES;

/** Bytes that the heap has taken from the system, used or not, and of what it keeps outside. */
export function readHeldBytes(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/** Unlike V8's own `gc`, this also makes the space for new objects small and moves old ones together. */
async function collect(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

/** Collects the heap of this process whenever it is idle and has grown by 64 MiB. @returns what ends it */
export function collectWhenIdle({
  intervalMs = SAMPLE_INTERVAL_MS,
  maxUtilization = MAX_UTILIZATION,
} = {}): () => void {
  let leastBytes = readHeldBytes();
  let last = performance.eventLoopUtilization();
  async function sample(): Promise<void> {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    const heldBytes = readHeldBytes();
    leastBytes = Math.min(leastBytes, heldBytes);
    if (!isCollectionDue({ utilization, heldBytes, leastBytes }, maxUtilization)) return;
    await collect();
    leastBytes = readHeldBytes();
  }
  const timer = setInterval(() => {
    sample().catch((error: unknown) => {
      log.warn({ err: error }, "could not collect the heap of an idle process");
    });
  }, intervalMs).unref();
  return () => {
    clearInterval(timer);
  };
}
