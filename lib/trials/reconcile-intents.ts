import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { reconcile } from "./domain/flow";
import { applyEvent } from "./apply-event";
import { deleteUnpaidIntents, listDueIntents, listEndingIntents } from "./queries-intents";
import { runFlow, servicePorts, type TrialPorts } from "./run-flow";

const BATCH_SIZE = 100;
const CONCURRENCY = 4;
const UNPAID_DAYS = 7;

/** Reconciles every due payment once. Leases keep other processes from working on the same payment. */
export async function reconcileIntents(
  db: Db,
  signal: AbortSignal,
  ports: TrialPorts = servicePorts(),
): Promise<number> {
  const due = await listDueIntents(db, BATCH_SIZE);
  const waiting = [...due];
  const work = async () => {
    for (let intentId = waiting.shift(); intentId !== undefined && !signal.aborted; intentId = waiting.shift()) {
      const flow = reconcile("timer", ports.leaseSeconds);
      await runFlow(flow, { context: { db }, intentId, ports }).catch((error: unknown) => {
        log.warn({ err: error, intentId }, "a payment could not be reconciled");
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return due.length;
}

/** Ends purchases and trials past their end, and erases keys past their delivery window. */
export async function endIntents(db: Db, signal: AbortSignal): Promise<void> {
  for (
    let ending = await listEndingIntents(db, BATCH_SIZE);
    ending.length > 0;
    ending = await listEndingIntents(db, BATCH_SIZE)
  ) {
    let failed = 0;
    for (const intentId of ending) {
      if (signal.aborted) return;
      await applyEvent({ db }, intentId, { kind: "tick" }).catch((error: unknown) => {
        failed += 1;
        log.warn({ err: error, intentId }, "a purchase could not be ended");
      });
    }
    if (ending.length < BATCH_SIZE || failed === ending.length) return;
  }
}

/** Deletes purchases that ended unpaid more than `UNPAID_DAYS` ago. */
export async function purgeUnpaidIntents(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(BATCH_SIZE, (limit) => deleteUnpaidIntents(db, UNPAID_DAYS, limit), signal);
}
