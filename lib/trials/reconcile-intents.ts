import type { Db } from "@/db/client";
import { log } from "@/lib/platform/log";
import { reconcile } from "./domain/flow";
import { applyEvent } from "./apply-event";
import { deleteUnpaidIntents, listDueIntents, listEndingIntents } from "./queries-intents";
import { runFlow, servicePorts, type TrialPorts } from "./run-flow";

const BATCH = 100;
/** Looks at the chain at the same time. */
const PARALLEL = 4;
const UNPAID_DAYS = 7;

/** Looks once at every unresolved payment that is due. Beside other processes no payment is looked at twice. */
export async function reconcileIntents(
  db: Db,
  signal: AbortSignal,
  ports: TrialPorts = servicePorts(),
): Promise<number> {
  const due = await listDueIntents(db, BATCH);
  const waiting = [...due];
  const work = async () => {
    for (let intentId = waiting.shift(); intentId !== undefined && !signal.aborted; intentId = waiting.shift()) {
      const flow = reconcile("timer", ports.leaseSeconds);
      await runFlow(flow, { context: { db }, intentId, ports }).catch((error: unknown) => {
        log.warn({ err: error, intentId }, "a payment could not be looked at");
      });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return due.length;
}

/** Ends purchases and trials whose time is over, and erases keys that may no longer be delivered. */
export async function endIntents(db: Db, signal: AbortSignal): Promise<void> {
  for (
    let ending = await listEndingIntents(db, BATCH);
    ending.length > 0;
    ending = await listEndingIntents(db, BATCH)
  ) {
    for (const intentId of ending) {
      if (signal.aborted) return;
      await applyEvent({ db }, intentId, { kind: "tick" });
    }
    if (ending.length < BATCH) return;
  }
}

/** Deletes purchases that ended unpaid a week ago: nobody asks for them any more. */
export async function purgeUnpaidIntents(db: Db, signal: AbortSignal): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;) {
    deleted = await deleteUnpaidIntents(db, UNPAID_DAYS, BATCH);
  }
}
