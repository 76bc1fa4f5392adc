import { publishSecrets } from "@/lib/platform/secrets";
import { TEST_SECRETS } from "@/test/secrets";
import { openBenchDatabase, openGivenDatabase } from "../bench/database/open";
import { ensureBuilt } from "../build/ensure.mjs";
import {
  CHECK_OPTION,
  type CleanUp,
  JSON_OPTION,
  lineWriter,
  progress,
  runCommand,
  SEED_OPTION,
} from "../common/command";
import { randomOf } from "../common/random";
import { printOutcome, textTable } from "../common/report";
import { startSandbox } from "../sandbox/sandbox";
import { prepareKills, runKills } from "./kills";
import { prepareMetering, runMetering } from "./metering";
import { OUTAGES, runOutages } from "./outages";
import { runPurchases } from "./purchases";
import { openSeller } from "./seller";
import { runWebhookKills } from "./webhooks";

const MIN = { kills: 50, rounds: 20, purchases: 10_000 };

type Options = { kills: number; rounds: number; seed: number; given: string | undefined };

const openDatabase = (given: string | undefined, poolSize: number) =>
  given === undefined ? openBenchDatabase({ poolSize, daysBack: 1 }) : openGivenDatabase(given, { poolSize });

/** Runs kills and metering rounds on a disposable database with a sandbox, then outages of the whole service. */
async function runFaults({ kills, rounds, seed, given }: Options, cleanUp: CleanUp) {
  const database = await openDatabase(given, 50);
  cleanUp.push(() => database.stop());
  const sandbox = await startSandbox();
  cleanUp.push(() => sandbox.close());
  const dependencies = await prepareKills(database.db, database.url, sandbox);
  const killed = await runKills(dependencies, { kills, seed, onProgress: progress });
  const meter = await prepareMetering(database, sandbox, randomOf(seed));
  const miscounts = await runMetering(meter, { rounds, onProgress: progress });
  const webhooks = await runWebhookKills(database.db, database.url, { kills: MIN.kills, onProgress: progress });
  return {
    ...killed,
    rounds,
    miscounts,
    webhooks,
    outages: given === undefined ? await runOutages(cleanUp, progress) : noOutages(),
  };
}

type Found = Readonly<Record<string, string[]>>;

/** Outages need servers that are started for them, so they are skipped on a given database. */
const noOutages = (): Found => ({});

const violationsOf = (found: Found): string[] =>
  Object.entries(found).flatMap(([name, violations]) => violations.map((violation) => `${name}: ${violation}`));

/** Runs and prints only the kills of webhook senders. */
async function printWebhooks(values: Parameters<typeof printOutcome>[0], kills: number, cleanUp: CleanUp) {
  const database = await openBenchDatabase({ poolSize: 10, daysBack: 1 });
  cleanUp.push(() => database.stop());
  const { violations, ...counts } = await runWebhookKills(database.db, database.url, { kills, onProgress: progress });
  const misses = counts.kills < MIN.kills ? [`${counts.kills} processes killed, below ${MIN.kills}`] : [];
  return printOutcome(values, {
    isBroken: violations.length > 0,
    result: { webhooks: { ...counts, violations } },
    misses: [...violations, ...misses],
    lines: () =>
      textTable(
        ["Webhooks", ""],
        [
          ["Processes killed", counts.kills],
          ["Events", counts.told],
          ["Messages received", counts.arrived],
          ["Of these repeated", counts.repeated],
          ["Guarantees broken", violations.length],
        ],
      ),
  });
}

/** Runs and prints only single-call purchases through the whole service. */
async function printPurchases(
  values: Parameters<typeof printOutcome>[0],
  options: { purchases: number; seed: number },
  cleanUp: CleanUp,
) {
  const seller = await openSeller(cleanUp);
  const kills = Math.max(3, Math.ceil(options.purchases / 250));
  const startedAt = performance.now();
  const summary = await runPurchases(seller, { ...options, kills, onProgress: progress });
  const seconds = (performance.now() - startedAt) / 1000;
  const { violations, stored, purchases, calls, lostAnswers, signatures, faults } = summary;
  const misses = purchases < MIN.purchases ? [`${purchases} purchases, below ${MIN.purchases}`] : [];
  return printOutcome(values, {
    isBroken: violations.length > 0,
    result: { seed: options.seed, seconds, ...summary },
    misses: [...violations, ...misses],
    lines: () =>
      textTable(
        ["Single-call purchases", purchases],
        [
          ["Seed", options.seed],
          ["Seconds", seconds.toFixed(1)],
          ["Times the service was killed", summary.kills],
          ["Faults of the facilitator and the node", faults],
          ["Calls, lost answers", `${calls}, ${lostAnswers}`],
          ["Payments signed", signatures],
          ["Payments settled, trials created", `${stored.settled}, ${stored.grants}`],
          ["Guarantees broken", violations.length],
        ],
      ),
  });
}

function printOutages(values: Parameters<typeof printOutcome>[0], found: Found): number {
  const misses = violationsOf(found);
  const rows = Object.entries(found).map(([name, { length }]) => [name, length] as const);
  return printOutcome(values, {
    isBroken: misses.length > 0,
    result: { outages: found },
    misses,
    lines: () => textTable(["Outage", "guarantees broken"], rows),
  });
}

await runCommand({
  name: "faults",
  about:
    "Kills the process that handles a purchase after each of its messages, and checks the payment afterwards. Then, in rounds, 50 clients use up the units of a trial while their database connections are killed. Then webhook senders are killed, and the received messages are compared with the events. Finally the whole service is subjected to a read-only database, a full disk, clock changes, poolers, the loss of Redis, and clients that flood its pages and hold its connections.",
  options: {
    kills: {
      type: "number",
      default: 200,
      about:
        "processes to end with SIGKILL: one after each message of an activation, then two or three in succession per purchase",
    },
    rounds: {
      type: "number",
      default: 60,
      about: "metering rounds of 50 clients on 100 units, every other one with killed connections",
    },
    seed: {
      ...SEED_OPTION,
      about: "seed for when processes are killed, what buyers do, and the order in which Reports are read",
    },
    outages: { type: "boolean", about: "only the outages of the whole service" },
    webhooks: { type: "boolean", about: "only the kills of webhook senders, --kills of them" },
    purchases: {
      type: "number",
      about: `only N single-call purchases, with kills, lost answers and repeated calls; ${MIN.purchases} with --check`,
    },
    database: {
      type: "string",
      value: "URL",
      about:
        "run kills and metering on this database, which is migrated and filled: PostgreSQL, a pooler, or a Citus coordinator; skips the outages",
    },
    json: JSON_OPTION,
    check: {
      ...CHECK_OPTION,
      about: `also exit with 1 if fewer than ${MIN.kills} processes were killed or fewer than ${MIN.rounds} rounds were counted`,
    },
  },
  async run(values, cleanUp) {
    await ensureBuilt(["component", "documents", "bundles", "pages"], { say: lineWriter(true) });
    publishSecrets(TEST_SECRETS);
    if (values.outages) return printOutages(values, await runOutages(cleanUp, progress));
    if (values.webhooks) return await printWebhooks(values, values.kills, cleanUp);
    const { seed } = values;
    if (values.purchases !== undefined)
      return await printPurchases(values, { purchases: values.purchases, seed }, cleanUp);
    const startedAt = performance.now();
    const options = {
      kills: values.kills,
      rounds: values.rounds,
      seed,
      given: values.database,
    };
    const summary = await runFaults(options, cleanUp);
    const seconds = (performance.now() - startedAt) / 1000;
    const byMessage = Object.entries(summary.killsByMessage).sort(([, a], [, b]) => b - a);
    const broken = [
      ...summary.violations,
      ...summary.miscounts,
      ...summary.webhooks.violations,
      ...violationsOf(summary.outages),
    ];
    return printOutcome(values, {
      isBroken: broken.length > 0,
      result: { seed, seconds, ...summary },
      misses: [
        ...broken,
        ...(summary.kills < MIN.kills ? [`${summary.kills} processes killed, below ${MIN.kills}`] : []),
        ...(summary.rounds < MIN.rounds ? [`${summary.rounds} rounds counted, below ${MIN.rounds}`] : []),
      ],
      lines: () => [
        ...textTable(
          ["Seed", seed],
          [
            ["Seconds", seconds.toFixed(1)],
            ["Purchases", summary.purchases],
            ["Messages of an undisturbed activation", summary.messages.length],
            ["Processes killed", summary.kills],
            ["Paid with a second signature, after a proof", summary.paidAnew],
            ["Guarantees broken", summary.violations.length],
            ["Rounds of 50 clients on 100 units", summary.rounds],
            ["Rounds that were miscounted", summary.miscounts.length],
            ["Webhook senders killed", summary.webhooks.kills],
            ["Webhook events, messages received", `${summary.webhooks.told}, ${summary.webhooks.arrived}`],
            ["Webhooks lost or out of order", summary.webhooks.violations.length],
            ["Outages of the service", values.database === undefined ? OUTAGES.length : "not on a given database"],
            ["Guarantees broken by outages", violationsOf(summary.outages).length],
          ],
        ),
        "",
        ...textTable(["Killed after the answer to", "times"], byMessage),
      ],
    });
  },
});
