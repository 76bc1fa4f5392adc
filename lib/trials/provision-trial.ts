import type { Db } from "@/db/client";
import { type ProductLimits, REPORT_UNITS } from "@/lib/contract/product";
import { seal } from "@/lib/platform/sealed";
import { createWebApp } from "@/lib/tenancy/web-apps";
import { createWorkspace } from "@/lib/tenancy/workspaces";
import type { Context } from "@/lib/platform/context";
import type { Trial } from "./domain/intent";
import { insertGrant } from "./queries-grants";
import { type StoredIntent, updateSealedKey } from "./queries-intents";

/** Associated data of a trial's sealed key. */
export const keyPlace = (intentId: string): string => `trial_intents.sealed_key ${intentId}`;

/** Creates workspace, environment, origin, key and grant in the transaction that activates the intent. */
export async function provisionTrial(
  { requestId }: Pick<Context, "requestId">,
  tx: Db,
  { intent, origin, limits, now }: StoredIntent,
  { trialId, workspaceId, expiresAt }: Trial,
): Promise<void> {
  const context = {
    db: tx,
    now,
    actor: { kind: "system" } as const,
    ...(requestId === undefined ? {} : { requestId }),
  };
  const { submit_requests, report_requests, requests_per_second } = limits as ProductLimits; // safe: stored from the catalog
  await createWorkspace(context, { workspaceId, name: `Agent trial ${trialId.slice(-6)}`, plan: "trial" });
  const created = await createWebApp(context, {
    workspaceId,
    name: "Agent trial",
    origins: [origin],
    keyKind: "trial",
  });
  await insertGrant(tx, {
    workspaceId,
    trialId,
    intentId: intent.intentId,
    webAppId: created.webAppId,
    environmentId: created.environmentId,
    keyId: created.keyId,
    expiresAt,
    unitsTotal: REPORT_UNITS,
    submitRequests: submit_requests,
    reportRequests: report_requests,
    requestsPerSecond: requests_per_second,
  });
  await updateSealedKey(tx, intent.intentId, seal(created.apiKey, keyPlace(intent.intentId)));
}
