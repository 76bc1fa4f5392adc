import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * V8 collects old objects when new ones need their space: a process that a burst of load has filled keeps the garbage,
 * and its memory, for as long as it is idle afterwards. Such a process is collected here.
 */

const SAMPLE_INTERVAL_MS = 10_000;
/** Share of the interval in which the event loop had work. A full collection takes some 50 ms. */
const MAX_UTILIZATION = 0.05;
const MIN_GROWTH_BYTES = 64 * 1024 ** 2;

/** @param sample `leastBytes` is the least that was used since the last collection */
export const isCollectionDue = (sample: { utilization: number; usedBytes: number; leastBytes: number }): boolean =>
  sample.utilization <= MAX_UTILIZATION && sample.usedBytes - sample.leastBytes >= MIN_GROWTH_BYTES;

/** Node offers the collector to processes that start with `--expose-gc`; V8 reads the flag when it makes a context. */
function openCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  return collect;
}

/** Bytes of the heap and of what it keeps outside. */
export function readUsedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects the heap of this process whenever it is idle and has grown by 64 MiB. @returns what ends it */
export function collectWhenIdle({ intervalMs = SAMPLE_INTERVAL_MS } = {}): () => void {
  const collect = openCollector();
  let leastBytes = readUsedBytes();
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    const usedBytes = readUsedBytes();
    leastBytes = Math.min(leastBytes, usedBytes);
    if (!isCollectionDue({ utilization, usedBytes, leastBytes })) return;
    collect();
    leastBytes = readUsedBytes();
  }, intervalMs).unref();
  return () => {
    clearInterval(timer);
  };
}
