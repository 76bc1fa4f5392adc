import type { Browser, CDPSession } from "playwright-core";

/** CPU slowdown assumed for a visitor's device: Lighthouse's value for a phone. */
export const THROTTLING = 4;

/** Longer tasks delay the page's response to input noticeably. Source: W3C Long Tasks, Web Vitals. */
const LONG_TASK_MS = 50;
const RUN_TIMEOUT_MS = 60_000;
const CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline", "blink.user_timing"];

type TraceEvent = { name: string; pid: number; tid: number; ts?: number; dur?: number };

/** What a page reports: duration of a run, and size of its result as JSON. */
export type Timed = { ms: number; bytes: number };

/** Main-thread cost of a library, in milliseconds. */
export type MainThread = { longestTaskMs: number; blockingMs: number; totalMs: number };

/** Waits until the page has settled, runs the measured code between two marks, and reports what it took. */
export const measuringScript = (settleMs: number): string => `addEventListener("load", () => setTimeout(async () => {
  performance.mark("bench-start");
  const startedMs = performance.now();
  const result = await globalThis.measure();
  const ms = performance.now() - startedMs;
  performance.mark("bench-end");
  const body = JSON.stringify({ ms, bytes: new Blob([JSON.stringify(result)]).size });
  setTimeout(() => fetch("/measured", { method: "POST", body }), 50);
}, ${settleMs}));`;

/** Main-thread tasks between the marks, in the process in which the page set them. */
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
 * Calls `work` with an empty browser context unknown to Playwright, which would otherwise add an isolated world to each
 * frame that a library creates; that costs more than the frame itself.
 */
async function inOwnContext<T>(browser: Browser, work: (session: CDPSession, browserContextId: string) => Promise<T>) {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send("Target.createBrowserContext");
  try {
    return await work(session, browserContextId);
  } finally {
    await session.send("Target.disposeBrowserContext", { browserContextId });
    await session.detach();
  }
}

/**
 * Measures one run on a page to which nothing is attached, as in a visitor's browser.
 *
 * @param measured resolves when the page reports completion
 */
export const measureTime = (browser: Browser, url: string, measured: Promise<Timed>): Promise<Timed> =>
  inOwnContext(browser, async (session, browserContextId) => {
    await session.send("Target.createTarget", { url, browserContextId });
    return inTime(measured);
  });

/**
 * Measures one run on a throttled CPU, from the browser's own trace.
 *
 * @param measured resolves when the page reports completion
 */
export const measureMainThread = (browser: Browser, url: string, measured: Promise<Timed>): Promise<MainThread> =>
  inOwnContext(browser, async (session, browserContextId) => {
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
  });
