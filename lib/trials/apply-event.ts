import type { Db } from "@/db/client";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { announceTrial } from "./announce-trial";
import type { Applied } from "./domain/flow";
import type { Effect, EventKind, IntentEvent, Write } from "./domain/intent";
import { transition } from "./domain/transitions";
import { endTrial } from "./end-trial";
import { provisionTrial } from "./provision-trial";
import {
  type AttemptTerms,
  findNonceOwner,
  insertAttempt,
  setFailed,
  setSettled,
  setTakenBack,
} from "./queries-attempts";
import {
  insertIntentEvent,
  lockIntent,
  saveIntent,
  type StoredIntent,
  updateSealedKey,
  updateTerms,
} from "./queries-intents";

/** Context of an event. The database must be able to open a transaction. */
export type EventContext = Pick<Context, "requestId"> & { db: Db };

const isWrite = (effect: Effect): effect is Write =>
  effect.kind !== "settle" && effect.kind !== "read_chain" && effect.kind !== "provision";

/** The attempt comes first, since a duplicate means there is nothing to save; the key must be erased before `active` ends. */
const precedesSave = ({ kind }: Write): boolean => kind === "record_attempt" || kind === "erase_key";

type DetailsByKind = {
  [K in EventKind]?: (event: IntentEvent<K>) => Record<string, unknown>;
};

/** Details of an event for the intent's history, without secrets. */
const DETAILS: DetailsByKind = {
  payment_presented: ({ attempt: { attemptId, network, asset, payer, nonce } }) => ({
    attemptId,
    network,
    asset,
    payer,
    nonce,
  }),
  settled: ({ attemptId, settlement }) => ({ attemptId, transaction: settlement.transaction }),
  dead: ({ attemptId, proof }) => ({ attemptId, ...proof }),
  taken_back: ({ attemptId, proof }) => ({ attemptId, ...proof }),
  provisioned: ({ trialId, workspaceId }) => ({ trialId, workspaceId }),
  reconcile_due: ({ by }) => ({ by }),
  revoked: ({ reason }) => (reason === undefined ? {} : { reason }),
};

const detailOf = <K extends EventKind>(event: IntentEvent<K>): Record<string, unknown> =>
  DETAILS[event.kind]?.(event) ?? {};

/** False if the payment was presented before. */
async function writeEffect(context: EventContext, tx: Db, stored: StoredIntent, effect: Write): Promise<boolean> {
  const { intentId } = stored.intent;
  switch (effect.kind) {
    case "lock_terms":
      await updateTerms(tx, intentId, effect.terms);
      return true;
    case "record_attempt":
      // safe: `checkPayment` composed the payload
      return await insertAttempt(tx, intentId, effect.attempt, effect.payload as AttemptTerms);
    case "record_settlement":
      await setSettled(tx, intentId, effect.attemptId, effect.settlement);
      return true;
    case "record_failure":
      await setFailed(tx, intentId, effect.attemptId, effect.proof);
      return true;
    case "record_taken_back":
      await setTakenBack(tx, intentId, effect.attemptId, effect.proof);
      return true;
    case "create_trial":
      await provisionTrial(context, tx, stored, effect.trial);
      return true;
    case "end_trial":
      await endTrial(context, tx, effect);
      return true;
    case "erase_key":
      await updateSealedKey(tx, intentId, null);
      return true;
  }
}

/** Stops at the first refused write: the payment was presented before, and nothing has been written. */
async function writeAll(context: EventContext, tx: Db, stored: StoredIntent, writes: Write[]): Promise<boolean> {
  for (const write of writes) if (!(await writeEffect(context, tx, stored, write))) return false;
  return true;
}

async function applyOne(
  context: EventContext,
  tx: Db,
  stored: StoredIntent,
  event: IntentEvent,
): Promise<{ stored: StoredIntent; applied: Applied }> {
  const { intent: before, now, revision } = stored;
  const { state, effects } = transition(before, event, now);
  if (state === before) return { stored, applied: { intent: before, effects, now } };
  const writes = effects.filter(isWrite);
  if (!(await writeAll(context, tx, stored, writes.filter(precedesSave)))) {
    const owner = event.kind === "payment_presented" ? await findNonceOwner(tx, event.attempt) : undefined;
    const conflict = owner === before.intentId ? "own" : "other";
    return { stored, applied: { intent: before, effects: [], now, conflict } };
  }
  const next = { ...stored, intent: state, revision: revision + 1 };
  await saveIntent(tx, state, next.revision);
  await writeAll(
    context,
    tx,
    stored,
    writes.filter((write) => !precedesSave(write)),
  );
  await insertIntentEvent(tx, before.intentId, next.revision, {
    event: event.kind,
    fromStatus: before.status,
    toStatus: state.status,
    requestId: context.requestId ?? null,
    detail: detailOf(event),
  });
  await announceTrial(tx, stored.origin, before, state);
  return { stored: next, applied: { intent: state, effects, now } };
}

/**
 * Applies a tick and then the event to a purchase, including the writes of both, in one transaction. Makes no network
 * calls.
 *
 * @throws AppError `intent_not_found`
 */
export async function applyEvent(context: EventContext, intentId: string, event: IntentEvent): Promise<Applied> {
  return await context.db.transaction(async (tx) => {
    let stored = await lockIntent(tx, intentId);
    if (!stored) throw new AppError("intent_not_found");
    let applied: Applied = { intent: stored.intent, effects: [], now: stored.now };
    const events: IntentEvent[] = event.kind === "tick" ? [event] : [{ kind: "tick" }, event];
    for (const each of events) ({ stored, applied } = await applyOne(context, tx, stored, each));
    return applied;
  });
}
