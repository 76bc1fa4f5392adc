import { setTimeout as wait } from "node:timers/promises";

import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { reconcileIntents } from "./reconcile-intents";
import { servicePorts, type TrialPorts } from "./run-flow";

const EVERY_MS = 5_000;

async function keepReconciling(db: Db, signal: AbortSignal, ports: TrialPorts): Promise<void> {
  while (!signal.aborted) {
    await reconcileIntents(db, signal, ports).catch((error: unknown) => {
      log.warn({ err: error }, "unresolved payments wait for the database");
    });
    await wait(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Looks after unresolved payments from now on, in every process: at once, then every few seconds. `stop` waits for
 * the look that is under way, which others repeat when it is cut off.
 */
export function startReconciler(db: Db, ports: TrialPorts = servicePorts()): { stop: () => Promise<void> } {
  const stopped = new AbortController();
  const ended = keepReconciling(db, stopped.signal, ports);
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}
