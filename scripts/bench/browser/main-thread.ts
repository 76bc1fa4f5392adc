import type { Browser, Page } from "playwright-core";

/** How much slower than this machine the processor of a visitor is taken to be: what Lighthouse takes for a phone. */
export const THROTTLING = 4;

/** A task beyond this keeps the page from answering in time. Source: W3C Long Tasks, Web Vitals. */
const LONG_TASK_MS = 50;

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  ph: string;
  ts?: number;
  dur?: number;
  args?: { name?: string };
};

/** What a library costs the thread that answers the visitor. Milliseconds, each task apart. */
export type MainThread = { longestTaskMs: number; blockingMs: number; totalMs: number };

/** Tasks of the main thread of the process in which the page marks its measurement, between the marks. */
function tasksOf(events: readonly TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === "bench-start" || name === "bench-end");
  const [start, end] = ["bench-start", "bench-end"].map((mark) => marks.find(({ name }) => name === mark));
  if (start?.ts === undefined || end?.ts === undefined) throw new Error("the trace has no marks of the measurement");
  const [from, to] = [start.ts, end.ts];
  return events
    .filter(({ name, pid, tid }) => name === "RunTask" && pid === start.pid && tid === start.tid)
    .filter(({ ts = 0, dur = 0 }) => ts + dur >= from && ts <= to)
    .map(({ dur = 0 }) => dur / 1000);
}

function summarise(tasks: readonly number[]): MainThread {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    longestTaskMs: Math.max(0, ...tasks),
    blockingMs: sum(tasks.map((ms) => Math.max(0, ms - LONG_TASK_MS))),
    totalMs: sum(tasks),
  };
}

/** One run of `globalThis.measure` on a page that stands, on a slowed processor, as the browser's own trace tells it. */
export async function measureMainThread(browser: Browser, page: Page): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: THROTTLING });
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"],
  });
  // The measurement begins in a task of its own, or that of the command would count.
  await page.evaluate(`new Promise((resolve) => setTimeout(async () => {
    performance.mark("bench-start");
    await globalThis.measure();
    performance.mark("bench-end");
    setTimeout(resolve, 50);
  }, 50))`);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }; // safe: Chromium's trace format
  return summarise(tasksOf(trace.traceEvents));
}
