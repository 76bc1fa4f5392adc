import type { Database } from "@/db/client";
import { recordAudit } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";
import { type AfterFailure, afterFailure, type Outcome } from "./domain/after-attempt";
import { bringForward, lockFailing, noteFailure, noteSuccess, setDisabled } from "./queries-health";
import { type Answer, type Claimed, endDelivery, retryDelivery } from "./queries-send";

type Ended<O extends Outcome = Outcome> = { outcome: O; answer: Answer };
type Facts = { random: number; shift: number };
type Failed = Exclude<Outcome, { kind: "delivered" }>;

const REASONS: Record<NonNullable<AfterFailure["disable"]>, string> = {
  gone: "It answered 410 Gone",
  unreachable: "It accepted nothing for 3 days",
};

/** False if the lease was lost: another process has the message, and its attempt counts. */
async function recordFailure(
  db: Database,
  message: Claimed,
  { outcome, answer }: Ended<Failed>,
  { random, shift }: Facts,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const stored = await lockFailing(tx, message, shift);
    if (!stored) return false;
    const after = afterFailure({ ...stored, firstAttemptAt: stored.firstAttemptAt ?? stored.now }, outcome, random);
    const isRecorded =
      after.message.kind === "giveUp"
        ? await endDelivery(tx, message, { state: "failed", answer, shift })
        : (await retryDelivery(tx, message, { afterSeconds: after.message.afterSeconds, answer, shift })).length > 0;
    if (!isRecorded) return false;
    await noteFailure(tx, message, after.pauseSeconds, shift);
    if (after.disable === undefined || stored.state !== "active") return true;
    const because = REASONS[after.disable];
    await setDisabled(tx, message, because, shift);
    await recordAudit(
      tx,
      { actor: { kind: "system" } },
      {
        workspaceId: message.workspaceId,
        action: "webhook.disable",
        target: message.endpointId,
        detail: { name: stored.name, why: because },
      },
    );
    log.warn({ endpointId: message.endpointId, why: because }, "a webhook endpoint was disabled");
    return true;
  });
}

/** Records the outcome of an attempt for its message, the next one of its stream, and the endpoint. */
export async function recordOutcome(
  db: Database,
  message: Claimed,
  { outcome, answer }: Ended,
  facts: Facts,
): Promise<void> {
  if (outcome.kind !== "delivered") {
    await recordFailure(db, message, { outcome, answer }, facts);
    return;
  }
  await endDelivery(db, message, { state: "delivered", answer, shift: facts.shift });
  if (await noteSuccess(db, message)) await bringForward(db, message, facts.shift);
}
