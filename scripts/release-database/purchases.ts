import { setTimeout as delay } from "node:timers/promises";

import { createIntent, readChallenge, waitForCredentials } from "../demo-agent/purchase.mjs";
import { runAdmin } from "../demo/processes.mjs";
import { connectDatabase } from "../screenshots/tables.mjs";

const PRODUCT_CODE = "agent_trial_lite_100";
const STATE_TIMEOUT_MS = 90_000;
const POLL_MS = 200;
const UUID_LENGTHS = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** @typedef {Awaited<ReturnType<import("../sandbox/load.mjs").loadSandbox>>} SandboxModule */
/** @typedef {{ service: { url: string, env: NodeJS.ProcessEnv, dataDir: string }, sandbox: Awaited<ReturnType<SandboxModule["startSandbox"]>>, createBuyer: SandboxModule["createBuyer"], say: (line: string) => void }} Place */
/** @typedef {{ intent_id: string, claim_token: string, activate_url: string, status_url: string }} Intent */

/** The service says its public address, which only its browser can reach. @param {Place} place @param {string} url */
const reach = ({ service }, url) => service.url + new URL(url).pathname;

/** @param {Place} place @param {string} origin @returns {Promise<Intent>} */
async function begin(place, origin) {
  const intent = await createIntent(place.service.url, { productCode: PRODUCT_CODE, origin });
  const { activate_url: activateUrl, status_url: statusUrl } = intent;
  return { ...intent, activate_url: reach(place, activateUrl), status_url: reach(place, statusUrl) };
}

/** Sends a payment and does not wait for the answer. @param {Place} place @param {Intent} intent */
async function present(place, intent) {
  const challenge = await readChallenge(intent);
  const { header } = await place.createBuyer(place.sandbox.createAccount()).sign(challenge);
  const answer = fetch(intent.activate_url, {
    method: "POST",
    headers: { authorization: `Bearer ${intent.claim_token}`, "payment-signature": header },
  });
  return answer.then((response) => response.text()).catch(() => "");
}

/** @param {Place} place @param {Intent} intent */
async function stateOf({ service }, { intent_id: intentId }) {
  const sql = connectDatabase(service.dataDir);
  try {
    const id = intentId.slice(4).replace(UUID_LENGTHS, "$1-$2-$3-$4-$5");
    const [row] = await sql`select status from trial_intents where intent_id = ${id}::uuid`;
    return row?.status;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** @param {Place} place @param {Intent} intent @param {string} state */
async function until(place, intent, state) {
  const deadline = performance.now() + STATE_TIMEOUT_MS;
  for (;;) {
    const at = await stateOf(place, intent);
    if (at === state) return;
    if (performance.now() > deadline) throw new Error(`The purchase is ${at}, not ${state}`);
    await delay(POLL_MS);
  }
}

/** @param {Intent} intent @param {object} [more] */
const noted = ({ intent_id, claim_token }, more = {}) => ({ intentId: intent_id, claimToken: claim_token, ...more });

/** @param {Place} place @param {string} origin */
async function buy(place, origin) {
  const intent = await begin(place, origin);
  await present(place, intent);
  return { intent, credentials: await waitForCredentials(intent) };
}

/** An unpaid intent whose time was moved back, as the service's own timer ends it. @param {Place} place */
async function expire(place) {
  const intent = await begin(place, "https://late.example");
  const sql = connectDatabase(place.service.dataDir);
  await sql`update trial_intents set pay_until = now() - interval '1 minute' where origin = 'https://late.example'`;
  await sql.end({ timeout: 5 });
  await runAdmin(["trial", "recheck", "--intent", intent.intent_id], place.service.env).catch(() => undefined);
  await fetch(intent.status_url, { headers: { authorization: `Bearer ${intent.claim_token}` } });
  await until(place, intent, "expired");
  return intent;
}

/** Purchases that stay as they are; the last faults stay too. @param {Place} place */
export async function makePurchases(place) {
  const { service, sandbox, say } = place;
  const active = await buy(place, "https://agent.example");
  const grant = await fetch(`${service.url}/api/v1/agent/trial`, {
    headers: { "X-API-Key": active.credentials.api_key },
  });
  const revoked = await buy(place, "https://regret.example");
  const of = ["--intent", revoked.intent.intent_id];
  await runAdmin(["trial", "revoke", ...of, "--reason", "Asked for it back within the hour"], service.env);
  await runAdmin(
    ["trial", "note-refund", ...of, "--transaction", `0x${"5e".repeat(32)}`, "--note", "Ticket 4711"],
    service.env,
  );
  await runAdmin(
    ["trial", "block", "--buyer", "https://cheat.example", "--reason", "Cancelled three payments"],
    service.env,
  );
  const expired = await expire(place);
  const required = await begin(place, "https://window-shopper.example");
  await readChallenge(required);
  say("  purchases: paid, revoked, expired, unpaid");
  sandbox.inject("cancelled");
  const failed = await begin(place, "https://changed-mind.example");
  await present(place, failed);
  await until(place, failed, "payment_failed");
  await sandbox.heal();
  const { api_key: apiKey, environment_id: environmentId, trial_id: trialId } = active.credentials;
  return {
    active: noted(active.intent, {
      apiKey,
      environmentId,
      trialId,
      origin: "https://agent.example",
      grant: await grant.json(),
    }),
    revoked: noted(revoked.intent, { apiKey: revoked.credentials.api_key }),
    expired: noted(expired),
    payment_required: noted(required),
    payment_failed: noted(failed),
  };
}

/**
 * Runs `work` while a paid purchase cannot be provisioned, and one payment has no outcome.
 *
 * @template T @param {Place} place @param {(provisioning: object) => Promise<T>} work
 */
export async function withProvisioningHeld(place, work) {
  const sql = connectDatabase(place.service.dataDir);
  try {
    return await sql.begin(async (tx) => {
      await tx`lock table trial_grants in share mode`;
      const intent = await begin(place, "https://paid.example");
      void present(place, intent);
      await until(place, intent, "provisioning");
      place.say("  purchase: provisioning");
      return await work(noted(intent));
    });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** A payment that is being settled from now on; another one that has stayed without an outcome. @param {Place} place */
export async function addUnresolved(place) {
  const { sandbox, say } = place;
  sandbox.inject("unmined");
  const unclear = await begin(place, "https://unclear.example");
  void present(place, unclear);
  await until(place, unclear, "reconciliation_pending");
  const settling = await begin(place, "https://settling.example");
  void present(place, settling);
  await until(place, settling, "payment_in_progress");
  say("  purchases: reconciliation_pending, payment_in_progress");
  return { reconciliation_pending: noted(unclear), payment_in_progress: noted(settling) };
}
