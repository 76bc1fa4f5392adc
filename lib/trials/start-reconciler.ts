import { setTimeout as wait } from "node:timers/promises";

import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { reconcileIntents } from "./reconcile-intents";
import { servicePorts, type TrialPorts } from "./run-flow";

const INTERVAL_MS = 5_000;

async function reconcileUntilStopped(db: Db, signal: AbortSignal, ports: TrialPorts): Promise<void> {
  while (!signal.aborted) {
    await reconcileIntents(db, signal, ports).catch((error: unknown) => {
      log.warn({ err: error }, "unresolved payments could not be read; retrying");
    });
    await wait(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/**
 * Reconciles unresolved payments in every process, at once and then every `INTERVAL_MS`. `stop` waits for the run in
 * progress; if that is cut off, another process repeats it after the lease.
 */
export function startReconciler(db: Db, ports: TrialPorts = servicePorts()): { stop: () => Promise<void> } {
  const stopped = new AbortController();
  const ended = reconcileUntilStopped(db, stopped.signal, ports);
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}
