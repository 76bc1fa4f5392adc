import type { Signals, Timings } from "@/lib/contract/signals";

import { BLOCKED } from "./read";
import { REGISTRY } from "./signals";

type State = { state: "ok"; value: unknown } | { state: "absent" | "blocked" | "timeout" | "error" };

/** Milliseconds until one group counts as hanging. */
const TIMEOUT_MS = 1500;

const LATE = new Error("late");

const failureState = (error: unknown): State => {
  if (error === LATE) return { state: "timeout" };
  return { state: error === BLOCKED || (error as Error | null)?.name === "SecurityError" ? "blocked" : "error" };
};

const observe = async (read: () => unknown, timeoutMs: number): Promise<State> => {
  try {
    const late = new Promise((_resolve, reject) => setTimeout(reject, timeoutMs, LATE));
    // Called inside the race: `late` must never be left without a listener, or it becomes an unhandled rejection.
    const value = await Promise.race([late, Promise.resolve().then(read)]);
    return value === undefined ? { state: "absent" } : { state: "ok", value };
  } catch (error) {
    return failureState(error);
  }
};

/** Lets the page, and the replies that earlier signals wait for, have their turn. Unlike a timer it is never throttled. */
const yieldTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(0);
  });

/** Starts every entry of `registry`, each in a task of its own; none can break or hold up another. Never rejects. */
export const observeAll = async (registry: Record<string, () => unknown>, timeoutMs = TIMEOUT_MS) => {
  const signals: Record<string, State> = {};
  const timings: Record<string, number> = {};
  const pending = [];
  for (const [name, read] of Object.entries(registry)) {
    const startedMs = performance.now();
    pending.push(
      observe(read, timeoutMs).then((state) => {
        signals[name] = state;
        timings[name] = elapsed(startedMs);
      }),
    );
    await yieldTask();
  }
  await Promise.all(pending);
  return { signals, timings };
};

/** Whole milliseconds since `startedMs`; never negative. */
export const elapsed = (startedMs: number): number => Math.max(0, Math.round(performance.now() - startedMs));

export const collectSignals = async () =>
  (await observeAll(REGISTRY)) as { signals: Signals; timings: Timings["signals"] };
