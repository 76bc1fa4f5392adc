import { setTimeout as delay } from "node:timers/promises";

import { idToUuid } from "@/lib/contract/ids";
import { onDatabase } from "../common/embedded-database";
import { PRODUCT_CODE, returnTrial } from "../common/example-service";
import { runAdmin } from "../common/processes";
import type { Service } from "../common/service";
import { bearer, createIntent, type Intent, readChallenge, waitForCredentials } from "../demo-agent/purchase";
import { createBuyer } from "../sandbox/buyer";
import type { Sandbox } from "../sandbox/sandbox";

const STATE_TIMEOUT_MS = 90_000;
const POLL_MS = 200;

export type Place = { service: Service; sandbox: Sandbox; log: (line: string) => void };

/** Maps the service's public URL, which only the browser can reach, to its real address. */
const reach = ({ service }: Place, url: string) => service.url + new URL(url).pathname;

async function begin(place: Place, origin: string): Promise<Intent> {
  const intent = await createIntent(place.service.url, { productCode: PRODUCT_CODE, origin });
  const { activate_url: activateUrl, status_url: statusUrl } = intent;
  return { ...intent, activate_url: reach(place, activateUrl), status_url: reach(place, statusUrl) };
}

/** Sends a payment without waiting for the response. */
async function present(place: Place, intent: Intent): Promise<string> {
  const challenge = await readChallenge(intent);
  const { header } = await createBuyer(place.sandbox.createAccount()).sign(challenge);
  const answer = fetch(intent.activate_url, {
    method: "POST",
    headers: { ...bearer(intent), "payment-signature": header },
  });
  return answer.then((response) => response.text()).catch(() => "");
}

const stateOf = ({ service }: Place, { intent_id: intentId }: Intent): Promise<string | undefined> =>
  onDatabase(service.dataDir, async (sql) => {
    const [row] = await sql<{ status: string }[]>`
      select status from trial_intents where intent_id = ${idToUuid(intentId)}::uuid`;
    return row?.status;
  });

async function until(place: Place, intent: Intent, state: string): Promise<void> {
  const deadline = performance.now() + STATE_TIMEOUT_MS;
  for (;;) {
    const found = await stateOf(place, intent);
    if (found === state) return;
    if (performance.now() > deadline) throw new Error(`The purchase is ${found ?? "not stored"}, not ${state}.`);
    await delay(POLL_MS);
  }
}

/** What a later version needs to know about an intent. */
const recordOf = ({ intent_id, claim_token }: Intent) => ({ intentId: intent_id, claimToken: claim_token });

async function buy(place: Place, origin: string) {
  const intent = await begin(place, origin);
  await present(place, intent);
  return { intent, credentials: await waitForCredentials(intent) };
}

/** An unpaid intent whose deadline was moved into the past, so that the service's own timer expires it. */
async function expire(place: Place): Promise<Intent> {
  const intent = await begin(place, "https://late.example");
  await onDatabase(
    place.service.dataDir,
    (sql) =>
      sql`update trial_intents set pay_until = now() - interval '1 minute' where origin = 'https://late.example'`,
  );
  await runAdmin(["trial", "recheck", "--intent", intent.intent_id], place.service.env).catch(() => undefined);
  await fetch(intent.status_url, { headers: bearer(intent) });
  await until(place, intent, "expired");
  return intent;
}

/** Creates purchases in their final states; the last injected faults remain active. */
export async function makePurchases(place: Place) {
  const { service, sandbox, log } = place;
  const active = await buy(place, "https://agent.example");
  const { api_key: apiKey, environment_id: environmentId, trial_id: trialId } = active.credentials;
  const grant = await fetch(`${service.url}/api/v1/agent/trial`, { headers: { "X-API-Key": apiKey } });
  const revoked = await buy(place, "https://regret.example");
  await returnTrial(service.env, revoked.intent.intent_id, "Cancelled three payments");
  const expired = await expire(place);
  const required = await begin(place, "https://window-shopper.example");
  await readChallenge(required);
  log("  purchases: paid, revoked, expired, unpaid");
  sandbox.inject("cancelled");
  const failed = await begin(place, "https://changed-mind.example");
  await present(place, failed);
  await until(place, failed, "payment_failed");
  await sandbox.heal();
  const given = { apiKey, environmentId, trialId, origin: "https://agent.example" };
  return {
    active: { ...recordOf(active.intent), ...given, grant: (await grant.json()) as unknown },
    revoked: { ...recordOf(revoked.intent), apiKey: revoked.credentials.api_key },
    expired: recordOf(expired),
    payment_required: recordOf(required),
    payment_failed: recordOf(failed),
  };
}

/** Runs `work` while a paid purchase cannot be provisioned and one payment is unresolved. */
export const withProvisioningHeld = <T>(
  place: Place,
  work: (provisioning: ReturnType<typeof recordOf>) => Promise<T>,
) =>
  onDatabase(place.service.dataDir, (sql) =>
    sql.begin(async (tx) => {
      await tx`lock table trial_grants in share mode`;
      const intent = await begin(place, "https://paid.example");
      void present(place, intent);
      await until(place, intent, "provisioning");
      place.log("  purchase: provisioning");
      return work(recordOf(intent));
    }),
  );

/** Adds a payment that is being settled from now on, and another that has remained unresolved. */
export async function addUnresolved(place: Place) {
  const { sandbox, log } = place;
  sandbox.inject("unmined");
  const unclear = await begin(place, "https://unclear.example");
  void present(place, unclear);
  await until(place, unclear, "reconciliation_pending");
  const settling = await begin(place, "https://settling.example");
  void present(place, settling);
  await until(place, settling, "payment_in_progress");
  log("  purchases: reconciliation_pending, payment_in_progress");
  return { reconciliation_pending: recordOf(unclear), payment_in_progress: recordOf(settling) };
}
