import v8 from "node:v8";

/** In MiB, as docs/operations.md, "Memory", says; `npm run bench:memory -- --heap` measures it. */
export const MIN_HEAP = 96;
/** V8 adds to its old generation three spaces of 16 MiB for the young one. */
const YOUNG = 48;

/** Refuses a heap in which the service cannot work, instead of ending in the middle of a start or of requests. */
export function refuseSmallHeap() {
  const old = Math.floor(v8.getHeapStatistics().heap_size_limit / 1024 / 1024) - YOUNG;
  if (old >= MIN_HEAP) return;
  throw new Error(
    `Imprint could not start: each of its processes needs a heap of ${MIN_HEAP} MB, and Node allows ${Math.max(old, 0)} here. Raise --max-old-space-size in NODE_OPTIONS, or remove it (docs/operations.md, "Memory").`,
  );
}
