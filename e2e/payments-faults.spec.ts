import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

import { createTestDatabase } from "@/test/database";
import { idToUuid } from "@/lib/contract/ids";
import { moneyOf } from "@/test/trials";
import { openFaultProxy } from "@/scripts/faults/fault-proxy";
import { openFaultProxies } from "@/scripts/faults/fault-proxies";
import { runPurchases } from "@/scripts/faults/purchases";
import { readRequests } from "@/scripts/faults/readers";
import { SANDBOX_PRICE_ATOMIC, startSandbox } from "@/scripts/sandbox/sandbox";
import { dumpRows, leaksIn } from "./leaks";
import { killTree, makeDataDir, removeDataDir, statusOf } from "./process/service";
import { type RunningService, startService, TEST_SECRETS, untilOnSale } from "./service";
import { type Answer, createTrialBuyer, type TrialBuyer } from "./trial-buyer";

const SETTLE_TIMEOUT_SECONDS = 2;
/** Time limit: three service starts on a busy machine, plus the longest lease. */
const RESTARTS_TIMEOUT_MS = 600_000;
const PAID = { settled: 1, failed: 0, open: 0, grants: 1, status: "active" };

const { db, url: databaseUrl } = await createTestDatabase();
const sandbox = await startSandbox();
const dataDir = makeDataDir();
/** Called for each response that the service gets from its database, its facilitator and its node. */
let onAnswer: (message: string) => Promise<boolean> | boolean = () => true;
const faultProxies = await openFaultProxies({ databaseUrl, variables: sandbox.variables }, (message) =>
  onAnswer(message),
);
let service: RunningService;
/** All services started, including killed ones. */
const services: RunningService[] = [];
const buyers: TrialBuyer[] = [];

async function start(): Promise<void> {
  service = await startService({
    dataDir,
    databaseUrl: faultProxies.world.databaseUrl,
    environment: {
      ...TEST_SECRETS,
      ...faultProxies.world.variables,
      X402_SETTLE_TIMEOUT_S: String(SETTLE_TIMEOUT_SECONDS),
      TRUSTED_PROXIES: "loopback",
      LOG_LEVEL: "debug",
    },
  });
  services.push(service);
}

beforeAll(start);
afterEach(async () => {
  onAnswer = () => true;
  await sandbox.heal();
});
afterAll(async () => {
  await service.stop();
  await faultProxies.close();
  await sandbox.close();
  removeDataDir(dataDir);
});

/** Creates a buyer with an intent and a signed payment. */
async function signedBuyer(): Promise<{ buyer: TrialBuyer; signature: string }> {
  await untilOnSale(service);
  const buyer = createTrialBuyer(sandbox, () => service.url);
  await buyer.create();
  buyers.push(buyer);
  return { buyer, signature: await buyer.sign() };
}

/** Presents a payment; retries, as documented, if it was refused before anything was submitted. */
async function present(buyer: TrialBuyer, signature: string) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await buyer.activate(signature);
    if (answer.response.status !== 503 || attempt === 10) return answer;
  }
}

function expectPending({ response, text }: Answer): void {
  expect([response.status, text]).toEqual([202, expect.stringContaining("settlement_pending")]);
  expect(response.headers.has("payment-required")).toBe(false);
}

/** Expects one payment, one trial, working credentials, and nothing more to pay. */
async function expectTrial(buyer: TrialBuyer, money: object = PAID): Promise<void> {
  const { api_key: key } = await buyer.until("active");
  expect(await buyer.readGrant(key)).toMatchObject({ status: "active", remaining_report_units: 100 });
  const again = await buyer.activate();
  expect([again.response.status, again.response.headers.has("payment-response")]).toEqual([200, true]);
  expect(await moneyOf(db, buyer.intent().intent_id)).toEqual(money);
  expect(buyer.spent()).toBe(SANDBOX_PRICE_ATOMIC);
}

test.each([
  "accept_then_timeout",
  "5xx_after_settle",
  "slow_answer",
  "kill_after_broadcast",
  "rpc_answer_lost",
  "declared_safe",
  "malformed_answer",
] as const)("%s ends with one payment and one active trial", async (fault) => {
  const { buyer, signature } = await signedBuyer();
  sandbox.setSlowAnswer((SETTLE_TIMEOUT_SECONDS + 1) * 1000);
  sandbox.inject(fault);
  const answer = await present(buyer, signature);
  if (answer.response.status !== 200) expectPending(answer);
  await sandbox.heal();
  await expectTrial(buyer);
});

test("reconcile_unavailable: while the chain cannot be read, no other payment is requested", async () => {
  const { buyer, signature } = await signedBuyer();
  sandbox.inject("unmined");
  expectPending(await present(buyer, signature));
  sandbox.inject("reconcile_unavailable");
  for (const sent of [undefined, signature]) expectPending(await buyer.activate(sent));
  expect(await buyer.status()).toMatchObject({ status: "reconciliation_pending" });
  await sandbox.heal();
  await expectTrial(buyer);
});

test("cancelled: the chain proves that nothing was taken, and another payment is requested", async () => {
  const { buyer, signature } = await signedBuyer();
  sandbox.inject("cancelled");
  const answer = await present(buyer, signature);
  await sandbox.heal();
  if (answer.response.status !== 402) {
    expectPending(answer);
    await buyer.until("payment_failed");
  }
  expect(buyer.spent()).toBe(0n);
  await present(buyer, await buyer.sign());
  await expectTrial(buyer, { ...PAID, failed: 1 });
});

test("concurrent_activate: of 20 concurrent different payments, one is taken", async () => {
  const { buyer, signature } = await signedBuyer();
  const others = await buyer.signMany(19);
  const answers = await Promise.all([signature, ...others].map((each) => buyer.activate(each)));
  // 503: not verified in time on a busy machine, and not submitted.
  for (const { response } of answers) expect([200, 202, 503]).toContain(response.status);
  await expectTrial(buyer);
});

test("cross_intent_replay: a payment counts for the intent that presented it first, even if both present it concurrently", async () => {
  for (const areAtOnce of [false, true]) {
    const { buyer, signature } = await signedBuyer();
    const other = createTrialBuyer(sandbox, () => service.url);
    await other.create();
    await other.activate();
    const first = areAtOnce ? present(buyer, signature) : await present(buyer, signature);
    const answers = await Promise.all([first, present(other, signature)]);
    const refused = answers.filter(({ response }) => response.status === 409);
    expect(refused.map(({ text }) => text)).toEqual([expect.stringContaining("payment_already_used")]);
    const [winner, loser] = answers[0].response.status === 409 ? [other, buyer] : [buyer, other];
    await winner.until("active");
    expect(await moneyOf(db, loser.intent().intent_id)).toMatchObject({ settled: 0, open: 0, grants: 0 });
    expect(buyer.spent()).toBe(SANDBOX_PRICE_ATOMIC);
  }
});

test("lost_http_answer: a buyer that loses every response gets the credentials with the claim token, for one payment", async () => {
  await untilOnSale(service);
  let isLosing = true;
  const line = await openFaultProxy(service.url, { createReader: readRequests, onAnswer: () => !isLosing });
  const buyer = createTrialBuyer(sandbox, () => line.url);
  const losing = async (work: () => Promise<unknown>) => {
    isLosing = true;
    await expect(work()).rejects.toThrow("fetch failed");
    isLosing = false;
  };
  await losing(() => buyer.create());
  await buyer.create();
  await losing(() => buyer.activate());
  const signature = await buyer.sign();
  const isPaying = async () => (await moneyOf(db, buyer.intent().intent_id)).status !== "payment_required";
  do await losing(() => buyer.activate(signature));
  while (!(await isPaying()));
  await losing(() => buyer.activate(signature));
  for (let time = 0; time < 2; time += 1) await losing(() => buyer.status());
  await expectTrial(buyer);
  expect(buyer.signatures()).toBe(1);
  await line.close();
});

test("provision_failure: a paid intent is never charged again, and becomes a trial once it can be provisioned", async () => {
  const { buyer, signature } = await signedBuyer();
  await db.execute(sql`create function refuse_grants() returns trigger language plpgsql
    as $$ begin raise exception 'no grant can be stored'; end $$`);
  await db.execute(sql`create trigger refuse_grants before insert on trial_grants
    for each row execute function refuse_grants()`);
  const answer = await present(buyer, signature);
  expectPending(answer);
  expect(answer.response.headers.has("payment-response")).toBe(true);
  expect(await buyer.status()).toMatchObject({ status: "provisioning" });
  expectPending(await buyer.activate());
  await db.execute(sql`drop function refuse_grants cascade`);
  await expectTrial(buyer);
});

/** Runs `act` once, before the service receives the first response selected by `chooses`. */
function beforeAnswer(chooses: (message: string) => boolean, act: () => Promise<unknown>): void {
  let isOver = false;
  onAnswer = async (message) => {
    if (isOver || !chooses(message)) return true;
    isOver = true;
    await act();
    return true;
  };
}

/** Selects the first commit after a message. */
function commitAfter(start: string): (message: string) => boolean {
  let hasStarted = false;
  return (message) => {
    hasStarted ||= message.startsWith(start);
    return hasStarted && message === "commit";
  };
}

test(
  "database_lost_after_settle, and SIGKILL of the service at three steps: each purchase ends paid once",
  { timeout: RESTARTS_TIMEOUT_MS },
  async () => {
    const waiting: { buyer: TrialBuyer; signature: string }[] = [];
    const lost = await signedBuyer();
    beforeAnswer(
      (message) => message === "POST /settle",
      () => faultProxies.database.cut(),
    );
    expectPending(await present(lost.buyer, lost.signature));
    await faultProxies.database.reopen();
    await expect.poll(() => statusOf(`${service.url}/readyz`), { timeout: 60_000 }).toBe(200);
    waiting.push(lost);

    const steps = [
      (message: string) => message === "POST /settle",
      commitAfter('insert into "payment_attempts"'),
      commitAfter("POST /settle"),
    ];
    for (const chooses of steps) {
      const killed = await signedBuyer();
      beforeAnswer(chooses, () => killTree(service));
      await expect(present(killed.buyer, killed.signature)).rejects.toThrow("fetch failed");
      await start();
      waiting.push(killed);
    }
    for (const { buyer, signature } of waiting) {
      await present(buyer, signature);
      await expectTrial(buyer);
      expect(buyer.signatures()).toBe(1);
    }
  },
);

test(
  "single-call purchases end with one payment and one trial each, whatever is lost, repeated or killed",
  { timeout: RESTARTS_TIMEOUT_MS },
  async () => {
    const restart = async () => {
      await killTree(service);
      await start();
      await untilOnSale(service);
    };
    const seller = { sandbox, db, url: () => service.url, restart };
    const summary = await runPurchases(seller, { purchases: 24, kills: 1, seed: 1 });
    expect(summary.violations).toEqual([]);
    expect(summary).toMatchObject({
      purchases: 24,
      kills: 1,
      lostAnswers: expect.toSatisfy((lost: number) => lost > 0) as number,
    });
  },
);

test("expired_unused: a payment that expires unsubmitted is proven dead by a later block, and nothing was taken", async () => {
  const { buyer, signature } = await signedBuyer();
  sandbox.inject("expired_unused");
  expectPending(await present(buyer, signature));
  await sandbox.chain.advance(300);
  await buyer.until("payment_failed");
  expect(await moneyOf(db, buyer.intent().intent_id)).toMatchObject({ settled: 0, failed: 1, grants: 0 });
  const challenge = await buyer.activate();
  expect([challenge.response.status, challenge.response.headers.has("payment-required")]).toEqual([402, true]);
  expect(buyer.spent()).toBe(0n);
});

test("afterwards no claim token, payment or key is in the log or a row, and each occurs only in its one response", async () => {
  const [log, rows] = [services.map(({ output }) => output()).join("\n"), await dumpRows(databaseUrl)];
  expect(log).toContain("activation failed; the reconciler continues with the payment");
  for (const buyer of buyers) {
    expect(rows).toContain(idToUuid(buyer.intent().intent_id));
    expect([leaksIn(log, buyer.secrets), leaksIn(rows, buyer.secrets), buyer.leaks()]).toEqual([[], [], []]);
  }
});
