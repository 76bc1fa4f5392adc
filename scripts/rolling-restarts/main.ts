import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { createSite } from "@/test/visits";
import { TEST_SECRETS } from "@/test/secrets";
import { openBenchDatabase } from "../bench/database/open";
import { ensureBuilt } from "../build/ensure.mjs";
import { CHECK_OPTION, type CleanUp, JSON_OPTION, progress, runCommand } from "../common/command";
import { claimPort, useTestBuild } from "../common/processes";
import { printOutcome, quantile } from "../common/report";
import { makeDataDir, type Service, startService } from "../common/service";
import { countOutcomes, findLost, startVisitors } from "../common/visitors";
import { CHECK_MS, startBalancer } from "./balancer";

const REPLICAS = 3;
const VISITORS = 8;
/** Four health check intervals: the balancer stops sending requests before the listener closes. */
const SHUTDOWN_DELAY_SECONDS = 2;
const GOOD = /^(challenge 200|submission 201|delivery 200|reread 200|\w+ 429)$/;

/** More than the delay, a drain and a start take together; beyond it something waited for a timeout. */
const SLOW_MS = 30_000;

type Replica = {
  port: number;
  start: () => Promise<void>;
  /** Resolves to the milliseconds until it was ready again. */
  restart: () => Promise<number>;
};

async function createReplica(databaseUrl: string, authSecret: string, cleanUp: CleanUp): Promise<Replica> {
  const [port, dataDir] = [await claimPort(), makeDataDir(cleanUp)];
  let service: Service | undefined;
  /** The replica's output since the start of a restart. */
  let lines: string[] = [];
  const start = async () => {
    service = await startService({
      cleanUp,
      dataDir,
      port,
      variables: {
        ...{ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: "8", TRUSTED_PROXIES: "loopback", HOST: "127.0.0.1" },
        ...{ AUTH_SECRET: authSecret, KEY_PEPPER: TEST_SECRETS.keyPepper, KEKS: TEST_SECRETS.keks },
        ...{ SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS), KEEP_ALIVE_SECONDS: "2", WORKERS: "1" },
        LOG_LEVEL: "info",
      },
      onLine: (line) => lines.push(`${new Date().toISOString()} ${line}`),
    });
  };
  return {
    port,
    start,
    async restart() {
      const startedAt = performance.now();
      lines = [];
      await service?.stop();
      await start();
      const tookMs = performance.now() - startedAt;
      if (tookMs > SLOW_MS) progress([`A restart took ${(tookMs / 1000).toFixed(1)} s:`, ...lines].join("\n"));
      // Lets the balancer notice before the next replica restarts.
      await delay(3 * CHECK_MS);
      return tookMs;
    },
  };
}

async function runRounds(rounds: number, cleanUp: CleanUp) {
  await ensureBuilt(["component", "documents", "bundles", "pages"], { say: progress });
  const database = await openBenchDatabase({ poolSize: 2, daysBack: 1 });
  cleanUp.push(() => database.stop());
  const site = await createSite(database.db);
  const authSecret = randomBytes(32).toString("base64url");
  const replicas: Replica[] = [];
  for (let index = 0; index < REPLICAS; index += 1) {
    const replica = await createReplica(database.url, authSecret, cleanUp);
    await replica.start();
    replicas.push(replica);
  }
  const address = await startBalancer(
    replicas.map(({ port }) => port),
    cleanUp,
  );
  const visitors = startVisitors({ address, site, count: VISITORS });
  const restartsMs: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const replica of replicas) restartsMs.push(await replica.restart());
    progress(`round ${round} of ${rounds}: ${visitors.samples.length} requests`);
  }
  await visitors.stop();
  const lost = await findLost(address, site, visitors.acknowledged);
  return { visitors, lost, restartsMs };
}

await runCommand({
  name: "rolling-restarts",
  about: `Restarts ${REPLICAS} replicas one at a time behind HAProxy while visits are made and Reports are read. No request may be refused or reset, and no acknowledged visit may be lost.`,
  options: {
    rounds: { type: "number", default: 20, about: "number of restarts of each replica" },
    json: JSON_OPTION,
    check: CHECK_OPTION,
  },
  async run(values, cleanUp) {
    useTestBuild();
    const { rounds } = values;
    const { visitors, lost, restartsMs } = await runRounds(rounds, cleanUp);
    const outcomes = countOutcomes(visitors.samples);
    const bad = Object.entries(outcomes).filter(([outcome]) => !GOOD.test(outcome));
    const times = visitors.samples.map(({ tookMs }) => tookMs);
    const [p50Ms, p99Ms] = [quantile(times, 0.5), quantile(times, 0.99)];
    const [restarts, slowestMs] = [restartsMs.length, Math.max(...restartsMs)];
    return printOutcome(values, {
      result: {
        restarts,
        requests: times.length,
        visits: visitors.acknowledged.length,
        p50Ms,
        p99Ms,
        outcomes,
        lost,
        slowestMs,
      },
      misses: [
        ...(slowestMs > SLOW_MS ? [`a restart took ${(slowestMs / 1000).toFixed(1)} s`] : []),
        ...bad.map(([outcome, count]) => `${count} x ${outcome}`),
        ...(lost.length > 0 ? [`${lost.length} acknowledged visits lost: ${lost.slice(0, 3).join(", ")}`] : []),
        ...(visitors.acknowledged.length < restarts ? ["fewer visits than restarts: the run proves nothing"] : []),
      ],
      lines: () => [
        `${restarts} restarts, ${times.length} requests, ${visitors.acknowledged.length} visits, ${lost.length} lost`,
        `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; a restart took at most ${(slowestMs / 1000).toFixed(1)} s`,
        ...Object.entries(outcomes).map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`),
      ],
    });
  },
});
