import { setTimeout as delay } from "node:timers/promises";

import { connect } from "@/db/client";
import { TEST_SECRETS } from "@/test/secrets";
import { ensureBuilt } from "../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand, SEED_OPTION } from "../common/command";
import { useTestBuild } from "../common/processes";
import { randomOf } from "../common/random";
import { median, printOutcome, quantile, textTable } from "../common/report";
import { makeDataDir, startService } from "../common/service";
import { countOutcomes, type Sample } from "../common/visitors";
import { startSandbox } from "../sandbox/sandbox";
import { checkLoad } from "./checks";
import { type Cluster, openCluster } from "./cluster";
import { startLoad } from "./load";
import { LEADER_TTL_SECONDS, type Node } from "./node";
import { until, untilOnSale } from "../common/until";

/** Ways in which the primary fails. */
const FAILURES = {
  "loses power": (node: Node) => node.cutPower(),
  "server is killed": (node: Node) => node.killServer(),
  "hangs, and comes back": (node: Node) => node.freeze(),
} as const;
type Failure = keyof typeof FAILURES;
const NAMES = ["loses power", "server is killed", "hangs, and comes back"] as const satisfies readonly Failure[];

/** Minimum and maximum time under load before each failure. */
const QUIET_MS = { least: 2_000, most: 5_000 };
/** How long the old primary keeps hanging after another one has taken over. */
const HANGING_MS = 4_000;
/** Time for lock expiry, election, promotion and the balancer's checks, on a busy machine. */
const MAX_GAP_MS = (LEADER_TTL_SECONDS + 20) * 1_000;
const RECOVERY_MS = 60_000;
/** Expected outcomes: success, rate limits, and 503 while there is no primary. */
const EXPECTED = /^(challenge 200|submission 201|delivery 200|reread 200|history 200|\w+ 429|\w+ 503)$/;

type Gap = { failure: Failure; seconds: number };

/** Seconds from the failure until the new primary first acknowledged a visit. */
async function untilServed(samples: readonly Sample[], sinceMs: number, promotedMs: number): Promise<number> {
  const find = () =>
    samples.find(
      ({ step, outcome, atMs, tookMs }) => step === "submission" && outcome === "201" && atMs + tookMs > promotedMs,
    );
  const limits = { what: "the service did not recover by itself", timeoutMs: RECOVERY_MS, everyMs: 50 };
  const { atMs, tookMs } = await until(find, limits);
  return (atMs + tookMs - sinceMs) / 1000;
}

async function failOver(cluster: Cluster, failure: Failure, samples: readonly Sample[]): Promise<Gap> {
  const primary = await cluster.findLeader();
  if (!primary) throw new Error("there is no primary to kill");
  const sinceMs = performance.now();
  await FAILURES[failure](primary);
  await cluster.untilReplaced(primary);
  const seconds = await untilServed(samples, sinceMs, performance.now());
  if (failure === "hangs, and comes back") await delay(HANGING_MS);
  primary.thaw();
  primary.start();
  await cluster.untilSynchronous();
  return { failure, seconds };
}

async function openPlace(cleanUp: CleanUp) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const [cluster, sandbox] = [await openCluster(cleanUp), await startSandbox()];
  cleanUp.push(() => sandbox.close());
  const { authSecret, keyPepper, keks } = TEST_SECRETS;
  const lines: string[] = [];
  const service = await startService({
    cleanUp,
    dataDir: makeDataDir(cleanUp),
    variables: {
      ...{ AUTH_SECRET: authSecret, KEY_PEPPER: keyPepper, KEKS: keks, ...sandbox.variables },
      ...{
        DATABASE_URL: cluster.url,
        DATABASE_READ_URL: cluster.readUrl,
        TRUSTED_PROXIES: "loopback",
        WEBHOOKS_ALLOW_PRIVATE: "true",
      },
      X402_SETTLE_TIMEOUT_S: "2",
      LOG_LEVEL: "warn",
    },
    onLine: (line) => lines.push(line),
  });
  const connection = connect({ url: cluster.url, poolSize: 2, prepare: false, applicationName: "failover" });
  cleanUp.push(() => connection.close());
  return { cluster, sandbox, service, db: connection.db, lines };
}

async function runFailovers(options: { kills: number; seed: number }, cleanUp: CleanUp) {
  const place = await openPlace(cleanUp);
  const { cluster, service, db, lines } = place;
  const random = randomOf(options.seed);
  await untilOnSale({ url: service.address });
  const load = await startLoad({ ...place, seed: options.seed }, cleanUp);
  const gaps: Gap[] = [];
  for (let kill = 0; kill < options.kills; kill += 1) {
    await delay(QUIET_MS.least + random() * (QUIET_MS.most - QUIET_MS.least));
    const failure = NAMES[kill % NAMES.length] ?? "loses power";
    const gap = await failOver(cluster, failure, load.visitors.samples).catch((error: unknown) => {
      throw new Error(`${kill + 1}: primary ${failure}: ${String(error)}\n${cluster.tail()}`, { cause: error });
    });
    gaps.push(gap);
    progress(
      `${kill + 1} of ${options.kills}: primary ${failure}, served again after ${gap.seconds.toFixed(1)} s, ${load.visitors.acknowledged.length} visits, ${load.buyers.count()} purchases`,
    );
  }
  await delay(QUIET_MS.most);
  const [histories, broken] = await Promise.all([load.historian.stop(), load.buyers.stop(), load.visitors.stop()]);
  const checked = await checkLoad(load, service.address, db);
  return {
    gaps,
    outcomes: { ...countOutcomes(load.visitors.samples), ...histories },
    visits: load.visitors.acknowledged.length,
    purchases: load.buyers.count(),
    isRunning: !service.hasEnded(),
    logged: lines.length,
    ...checked,
    violations: [...checked.violations, ...broken],
  };
}

type Found = Awaited<ReturnType<typeof runFailovers>>;

function missesOf({ gaps, outcomes, violations, isRunning, visits, purchases }: Found): string[] {
  return [
    ...Object.entries(outcomes)
      .filter(([outcome]) => !EXPECTED.test(outcome))
      .map(([outcome, count]) => `${count} x ${outcome}`),
    ...gaps
      .filter(({ seconds }) => seconds * 1000 > MAX_GAP_MS)
      .map(({ failure, seconds }) => `primary ${failure}: served again after ${seconds.toFixed(1)} s`),
    ...violations,
    ...(isRunning ? [] : ["the service exited"]),
    ...(visits < gaps.length || purchases < gaps.length
      ? ["fewer visits or purchases than kills: the run proves nothing"]
      : []),
  ];
}

function linesOf(found: Found): string[] {
  const { gaps, outcomes, stored, visits, purchases, messages, lost } = found;
  const rows = NAMES.map((name) => {
    const seconds = gaps.filter(({ failure }) => failure === name).map((gap) => gap.seconds);
    return [name, seconds.length, median(seconds).toFixed(1), quantile(seconds, 1).toFixed(1)] as const;
  });
  return [
    ...textTable(["the primary …", "times", "median s until served", "max s"], rows),
    `${visits} visits acknowledged, ${lost.length} lost; ${stored.visits} stored, ${stored.units} units, ${stored.sliced} in slices`,
    `${purchases} purchases, each with one payment and one trial; ${messages} webhook messages for ${stored.visits} visits`,
    ...Object.entries(outcomes).map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`),
  ];
}

await runCommand({
  name: "failover",
  about:
    "Repeatedly takes down the primary under Patroni, etcd and HAProxy, while visits are made, Reports are read, agents buy trials and webhooks are sent: by a power cut, by killing its server, and by a machine that hangs and comes back. Nothing acknowledged may be lost or duplicated, and the service must recover by itself. Requires Linux and PostgreSQL 15 or newer with pg_rewind.",
  options: {
    kills: { type: "number", default: 20, about: "number of times the primary is taken down" },
    seed: SEED_OPTION,
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const { kills, seed } = values;
    const options = { kills, seed };
    const found = await runFailovers(options, cleanUp);
    return printOutcome(values, {
      result: { ...options, ...found },
      misses: missesOf(found),
      lines: () => linesOf(found),
    });
  },
});
