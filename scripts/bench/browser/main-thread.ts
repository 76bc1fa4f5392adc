import type { Browser } from "playwright-core";

/** How much slower than this machine the processor of a visitor is taken to be: what Lighthouse takes for a phone. */
export const THROTTLING = 4;

/** A task beyond this keeps the page from answering in time. Source: W3C Long Tasks, Web Vitals. */
const LONG_TASK_MS = 50;
const RUN_TIMEOUT_MS = 60_000;
const CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline", "blink.user_timing"];

type TraceEvent = { name: string; pid: number; tid: number; ts?: number; dur?: number };

/** What a library costs the thread that answers the visitor. Milliseconds, each task apart. */
export type MainThread = { longestTaskMs: number; blockingMs: number; totalMs: number };

/** Ahead of the page's scripts: runs what is measured once the page has stood, between two marks. */
export const measuringScript = (settleMs: number): string => `addEventListener("load", () => setTimeout(async () => {
  performance.mark("bench-start");
  await globalThis.measure();
  performance.mark("bench-end");
  setTimeout(() => fetch("/measured", { method: "POST" }), 50);
}, ${settleMs}));`;

/** Tasks of the main thread of the process in which the page marks its measurement, between the marks. */
function tasksOf(events: readonly TraceEvent[]): number[] {
  const [start, end] = ["bench-start", "bench-end"].map((mark) => events.find(({ name }) => name === mark));
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

const inTime = <T>(work: Promise<T>) =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      setTimeout(reject, RUN_TIMEOUT_MS, new Error("the page did not measure in time")).unref();
    }),
  ]);

/**
 * One run on a slowed processor, as the browser's own trace tells it. The page is in a context that Playwright does not
 * know, since it would add a world of its own to each frame that a library makes, which costs more than the frame.
 *
 * @param measured resolves when the page has said so
 */
export async function measureMainThread(browser: Browser, url: string, measured: Promise<void>): Promise<MainThread> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send("Target.createBrowserContext");
  try {
    const { targetId } = await session.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await session.send("Target.attachToTarget", { targetId });
    const tell = (id: number, method: string, params: object) =>
      session.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) });
    const events: TraceEvent[] = [];
    session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown[] as TraceEvent[])));
    await session.send("Tracing.start", { traceConfig: { includedCategories: CATEGORIES } });
    await tell(1, "Emulation.setCPUThrottlingRate", { rate: THROTTLING });
    await tell(2, "Page.navigate", { url });
    await inTime(measured);
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    return summarise(tasksOf(events));
  } finally {
    await session.send("Target.disposeBrowserContext", { browserContextId });
    await session.detach();
  }
}
