import type { Signals, Timings } from "@/lib/contract/signals";

import { BLOCKED, within, yieldTask } from "./read";
import { REGISTRY } from "./signals";

type State = { state: "ok"; value: unknown } | { state: "absent" | "blocked" | "timeout" | "error" };

/** Milliseconds until one group counts as hanging. */
const TIMEOUT_MS = 1500;

const LATE = {};

const observe = async (read: () => unknown, timeoutMs: number): Promise<State> => {
  try {
    const value = await within(read, timeoutMs, LATE);
    if (value === LATE) return { state: "timeout" };
    return value === undefined ? { state: "absent" } : { state: "ok", value };
  } catch (error) {
    return { state: (error as Error | null)?.name === BLOCKED.name ? "blocked" : "error" };
  }
};

/** Starts every entry of `registry`, each in a task of its own; none can break or hold up another. Never rejects. */
export const observeAll = async (registry: Record<string, () => unknown>, timeoutMs = TIMEOUT_MS) => {
  const signals: Record<string, State> = {};
  const timings: Record<string, number> = {};
  const pending = [];
  for (const [name, read] of Object.entries(registry)) {
    // Before the first one too: the task of the caller has done enough.
    await yieldTask();
    const startedMs = performance.now();
    pending.push(
      observe(read, timeoutMs).then((state) => {
        signals[name] = state;
        timings[name] = elapsed(startedMs);
      }),
    );
  }
  await Promise.all(pending);
  return { signals, timings };
};

/** Whole milliseconds since `startedMs`; never negative. */
export const elapsed = (startedMs: number): number => Math.max(0, Math.round(performance.now() - startedMs));

export const collectSignals = async () =>
  (await observeAll(REGISTRY)) as { signals: Signals; timings: Timings["signals"] };
