import type { z } from "zod";

import type { Context } from "@/lib/platform/context";
import { REPORT_UNITS } from "@/lib/contract/product";
import type { readIntentOperation } from "@/lib/contract/trial";
import { log } from "@/lib/platform/log";
import { open } from "@/lib/platform/sealed";
import { applyEvent } from "./apply-event";
import type { ClaimPrincipal } from "./authenticate-claim";
import { isKeyDeliverable, pendingUntil } from "./domain/answers";
import { readStatus } from "./domain/flow";
import type { Intent, Trial } from "./domain/intent";
import { keyPlace } from "./provision-trial";
import { findGrant } from "./queries-grants";
import { findCreation, findSealedKey } from "./queries-intents";
import { runFlow, servicePorts, type TrialPorts } from "./run-flow";
import { withTimeout } from "./with-timeout";

type Body = z.input<(typeof readIntentOperation.responses)[200]>;

/** How long a poll waits for the reconciliation of an unresolved payment. */
const RECONCILE_TIMEOUT_MS = 3_000;

async function describeActive({ db }: Context, intent: Intent, trial: Trial, now: Date): Promise<Body> {
  const [grant, creation, sealed] = await Promise.all([
    findGrant(db, trial.workspaceId),
    findCreation(db, intent.intentId),
    isKeyDeliverable(intent, now) ? findSealedKey(db, intent.intentId) : undefined,
  ]);
  if (!grant || !creation) throw new Error(`the trial of ${intent.intentId} has no grant`);
  return {
    trial_id: trial.trialId,
    status: "active",
    environment_id: grant.environmentId,
    ...(sealed === undefined
      ? { credential_delivery_expired: true }
      : { api_key: open(sealed, keyPlace(intent.intentId)) }),
    allowed_origin: creation.origin,
    quota: {
      total_reports: REPORT_UNITS,
      used_reports: grant.unitsUsed,
      remaining_reports: REPORT_UNITS - grant.unitsUsed,
    },
    expires_at: trial.expiresAt.toISOString(),
    report_endpoint: "/api/v1/fingerprint/report/{imprint}",
  };
}

/**
 * The state of a purchase, with the credentials during the delivery window, which the first response with an active trial
 * opens. Each poll of an unresolved payment reconciles it.
 *
 * @throws AppError `intent_not_found`
 */
export async function readIntent(
  context: Context,
  { intentId }: ClaimPrincipal,
  ports: TrialPorts = servicePorts(),
): Promise<Body> {
  const stored = () => applyEvent(context, intentId, { kind: "status_read" });
  const work = runFlow(readStatus(ports.leaseSeconds), { context, intentId, ports }).catch((error: unknown) => {
    log.warn({ err: error, intentId, requestId: context.requestId }, "a payment could not be reconciled");
    return stored();
  });
  const { intent, now } = await withTimeout(work, RECONCILE_TIMEOUT_MS, stored);
  const { status, trial } = intent;
  if (status === "active" && trial) return await describeActive(context, intent, trial, now);
  if (status === "active") throw new Error(`the active intent ${intentId} has no trial`);
  return { intent_id: intentId, status, expires_at: pendingUntil(intent, now).toISOString() };
}
