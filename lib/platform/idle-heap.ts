import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";

import { log } from "./log";

/**
 * V8 collects old objects only when new ones need the space: after a burst of load an idle process keeps the garbage, and
 * its memory. Such a process is collected here.
 */

const SAMPLE_INTERVAL_MS = 10_000;
/** Event loop utilization over the interval. A collection blocks the loop for 0.2 to 0.3 s. */
const MAX_UTILIZATION = 0.05;
/** Larger than the young generation under light load, which grows again after each collection. */
const MIN_GROWTH_BYTES = 64 * 1024 ** 2;

/** @param sample `leastBytes` is the minimum since the last collection */
export const isCollectionDue = (
  sample: { utilization: number; heldBytes: number; leastBytes: number },
  maxUtilization = MAX_UTILIZATION,
): boolean => sample.utilization <= maxUtilization && sample.heldBytes - sample.leastBytes >= MIN_GROWTH_BYTES;

/** Bytes the heap has allocated from the system, used or not, plus external memory. */
export function readHeldBytes(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}

/** Unlike `global.gc`, this also shrinks the young generation and compacts the old one. */
async function collect(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}

/** Collects this process's heap whenever it is idle and has grown by 64 MiB. @returns a function that stops it */
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
