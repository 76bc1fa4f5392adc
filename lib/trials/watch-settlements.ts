import type { Db } from "@/db/client";
import { eachInTurn } from "@/lib/platform/each-in-turn";
import { log } from "@/lib/platform/log";
import { applyEvent } from "./apply-event";
import { listNotFinal, setFinal } from "./queries-attempts";
import { servicePorts, type TrialPorts } from "./run-flow";

const BATCH_SIZE = 100;
/** No chain takes longer to finalise a block. Payments that could not be checked within this time are left as they are. */
const WATCH_DAYS = 7;

type Watched = Awaited<ReturnType<typeof listNotFinal>>[number];

async function watch(db: Db, { intentId, attemptId, transaction, ...attempt }: Watched, { payments }: TrialPorts) {
  const verdict = await payments.readChainVerdict(attempt);
  if (verdict.kind === "settled" && verdict.isFinal) await setFinal(db, intentId, attemptId);
  if (verdict.kind !== "dead") return;
  const proof = { evidence: verdict.evidence, block: verdict.block };
  await applyEvent({ db }, intentId, { kind: "taken_back", attemptId, proof });
  log.error(
    { intentId, transaction, ...proof },
    "a chain reorganisation has undone a payment whose trial was granted: the trial continues unless you revoke it",
  );
}

/**
 * Watches settled payments until they are final. Trials are granted before, so that buyers do not wait for finality. If the
 * chain undoes a payment meanwhile, that is recorded with its proof and left to the operator.
 */
export async function watchSettlements(db: Db, signal: AbortSignal, ports: TrialPorts = servicePorts()): Promise<void> {
  const watched = await listNotFinal(db, { withinDays: WATCH_DAYS, limit: BATCH_SIZE });
  await eachInTurn(watched, signal, (payment) => watch(db, payment, ports));
}
