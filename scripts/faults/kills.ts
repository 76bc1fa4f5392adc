import type { Database } from "@/db/client";
import { TEST_SECRETS } from "@/test/secrets";
import { sandboxPorts } from "@/test/trials";
import type { Sandbox } from "../sandbox/sandbox";
import { randomBy, randomOf } from "../common/random";
import { bundleProgram } from "./bundle";
import { BUYERS, killPurchase, type Dependencies } from "./kill-purchase";
import type { KillCondition } from "./run-killable";

/** Concurrent purchases. */
const CONCURRENCY = 6;
/** Longer than a loaded machine needs for an answer. */
const SETTLE_TIMEOUT_SECONDS = 20;
/** So short that a living process may lose its lease: work is then done twice, and still nothing may be paid twice. */
const LEASE_SECONDS = 1;
const RESPONSE_TIMEOUT_MS = 500;

/** Sets up everything needed to kill purchases in a sandbox. */
export async function prepareKills(db: Database, databaseUrl: string, sandbox: Sandbox): Promise<Dependencies> {
  const variables = { ...sandbox.variables, X402_SETTLE_TIMEOUT_S: SETTLE_TIMEOUT_SECONDS, X402_MAX_TIMEOUT_S: 60 };
  return {
    db,
    sandbox,
    world: { databaseUrl, secrets: TEST_SECRETS, variables, leaseSeconds: LEASE_SECONDS },
    program: await bundleProgram("killable"),
    ports: sandboxPorts(sandbox, { leaseSeconds: LEASE_SECONDS, responseTimeoutMs: RESPONSE_TIMEOUT_MS }),
  };
}

/** Kills after message number `count`, counting from 1. */
const after =
  (count: number): KillCondition =>
  (messages) =>
    messages.length === count;

type Summary = {
  purchases: number;
  kills: number;
  /** Messages of an undisturbed activation; after each of them, one process was killed. */
  messages: string[];
  /** Number of kills after each message. */
  killsByMessage: Record<string, number>;
  /** Purchases paid with a second signature, after a proof that the first one took nothing. */
  paidAnew: number;
  violations: string[];
};

type Options = { kills: number; seed: number; onProgress?: (text: string) => void };

/**
 * Kills the process of an activation after each of its messages once. Then, until there are `kills`, makes purchases in
 * which two or three processes are killed in turn, at points that the seed determines.
 */
export async function runKills(dependencies: Dependencies, { kills, seed, onProgress }: Options): Promise<Summary> {
  const { below } = randomBy(randomOf(seed));
  const undisturbed = await killPurchase(dependencies, { kills: [() => false], buyer: BUYERS[0] });
  const { messages } = undisturbed;
  const summary: Summary = {
    purchases: 1,
    kills: 0,
    messages,
    killsByMessage: {},
    paidAnew: 0,
    violations: undisturbed.violations,
  };
  let begun = 0;
  let killsUnderWay = 0;
  const nextPlan = () => {
    const number = (begun += 1);
    const first = number <= messages.length ? number : 1 + below(messages.length);
    const others = number <= messages.length ? 0 : 1 + below(2);
    const kills = [first, ...Array.from({ length: others }, () => 1 + below(messages.length / 2))];
    return {
      kills: kills.map(after),
      buyer: BUYERS[(seed + number) % BUYERS.length] ?? BUYERS[0],
      name: kills.join(" + "),
    };
  };
  const worker = async () => {
    while (begun < messages.length || summary.kills + killsUnderWay < kills) {
      const { name, ...plan } = nextPlan();
      killsUnderWay += plan.kills.length;
      const outcome = await killPurchase(dependencies, plan);
      killsUnderWay -= plan.kills.length;
      summary.purchases += 1;
      summary.kills += outcome.kills.length;
      for (const message of outcome.kills) summary.killsByMessage[message] = (summary.killsByMessage[message] ?? 0) + 1;
      if (outcome.signatures > 1) summary.paidAnew += 1;
      const killedAfter = outcome.kills.join(", then ") || "nothing";
      summary.violations.push(
        ...outcome.violations.map((text) => `killed after ${killedAfter} (${name}; the buyer ${plan.buyer}): ${text}`),
      );
      onProgress?.(`${summary.kills} of ${kills} kills, ${summary.violations.length} violations`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return summary;
}
