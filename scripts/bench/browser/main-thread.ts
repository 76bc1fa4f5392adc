import { setTimeout } from "node:timers/promises";

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
    setTimeout(RUN_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error("the page did not measure in time");
    }),
  ]);

/** Share of one core that the browser's processes may use together when they have nothing left to do. */
const QUIET_SHARE = 0.1;
const SAMPLE_MS = 250;

/** Processor time that the browser's processes have used so far, in seconds. */
async function cpuSeconds(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Waits until the browser has finished its own work on a new window. */
async function untilQuiet(session: CDPSession): Promise<void> {
  const deadline = Date.now() + RUN_TIMEOUT_MS;
  for (let before = await cpuSeconds(session); ;) {
    await setTimeout(SAMPLE_MS);
    const now = await cpuSeconds(session);
    if (now - before < (QUIET_SHARE * SAMPLE_MS) / 1000) return;
    if (Date.now() > deadline) throw new Error("the browser did not become quiet in time");
    before = now;
  }
}

type Tell = (method: string, params: object) => Promise<unknown>;

/**
 * Calls `work` with an empty window in a browser context unknown to Playwright, which would otherwise add an isolated
 * world to each frame that a library creates; that costs more than the frame itself. The window is a second or two old:
 * while a browser opens one, it loads more script for its own interface than a measured library has.
 *
 * @param work `tell` sends commands to the page, `detach` leaves it alone
 */
async function inOwnWindow<T>(
  browser: Browser,
  work: (session: CDPSession, tell: Tell, detach: () => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send("Target.createBrowserContext");
  try {
    const { targetId } = await session.send("Target.createTarget", { url: "about:blank", browserContextId });
    await untilQuiet(session);
    const { sessionId } = await session.send("Target.attachToTarget", { targetId });
    let id = 0;
    const tell: Tell = (method, params) =>
      session.send("Target.sendMessageToTarget", {
        sessionId,
        message: JSON.stringify({ id: (id += 1), method, params }),
      });
    return await work(session, tell, () => session.send("Target.detachFromTarget", { sessionId }));
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
  inOwnWindow(browser, async (_session, tell, detach) => {
    await tell("Page.navigate", { url });
    await detach();
    return inTime(measured);
  });

/**
 * Measures one run on a throttled CPU, from the browser's own trace.
 *
 * @param measured resolves when the page reports completion
 */
export const measureMainThread = (browser: Browser, url: string, measured: Promise<Timed>): Promise<MainThread> =>
  inOwnWindow(browser, async (session, tell) => {
    const events: TraceEvent[] = [];
    session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown[] as TraceEvent[])));
    await session.send("Tracing.start", { traceConfig: { includedCategories: CATEGORIES } });
    await tell("Emulation.setCPUThrottlingRate", { rate: THROTTLING });
    await tell("Page.navigate", { url });
    await inTime(measured);
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    return summarise(tasksOf(events));
  });
