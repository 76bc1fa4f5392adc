import type { Signals, Timings } from "@/lib/contract/signals";

import { BLOCKED } from "./read";
import { REGISTRY } from "./signals";

type State = { state: "ok"; value: unknown } | { state: "absent" | "blocked" | "timeout" | "error" };

/** Milliseconds until one group counts as hanging. */
const TIMEOUT_MS = 1500;

const LATE = {};

const observe = async (read: () => unknown, timeoutMs: number): Promise<State> => {
  try {
    const value = await Promise.race([
      Promise.resolve().then(read),
      new Promise((resolve) => setTimeout(resolve, timeoutMs, LATE)),
    ]);
    if (value === LATE) return { state: "timeout" };
    return value === undefined ? { state: "absent" } : { state: "ok", value };
  } catch (error) {
    return { state: (error as Error | null)?.name === BLOCKED.name ? "blocked" : "error" };
  }
};

type WithScheduler = { scheduler?: { postTask: (task: () => void) => Promise<void> } };

/**
 * Lets the page, and the replies that earlier signals wait for, have their turn. A browser without a scheduler (Safari)
 * reads on in the same task: a timer would be throttled in pages that are not in front.
 */
const yieldTask = () => (globalThis as WithScheduler).scheduler?.postTask(() => undefined);

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
