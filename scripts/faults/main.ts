import { openBenchDatabase } from "../bench/database/open";
import {
  CHECK_OPTION,
  type CleanUp,
  JSON_OPTION,
  progress,
  runCommand,
  SEED_OPTION,
  wholeNumber,
} from "../common/command";
import { randomOf } from "../common/random";
import { printOutcome, textTable } from "../common/report";
import { startSandbox } from "../sandbox/sandbox";
import { prepareKills, runKills } from "./kills";
import { prepareMetering, runMetering } from "./metering";

const MIN = { kills: 50, rounds: 20 };

type Options = { kills: number; rounds: number; seed: number };

/** Kills, then rounds of metering, on a disposable database and in a sandbox. */
async function runFaults({ kills, rounds, seed }: Options, cleanUp: CleanUp) {
  const database = await openBenchDatabase({ poolSize: 50, daysBack: 1 });
  cleanUp.push(() => database.stop());
  const sandbox = await startSandbox();
  cleanUp.push(() => sandbox.close());
  const dependencies = await prepareKills(database.db, database.url, sandbox);
  const killed = await runKills(dependencies, { kills, seed, onProgress: progress });
  const meter = await prepareMetering(database, sandbox, randomOf(seed));
  return { ...killed, rounds, miscounts: await runMetering(meter, { rounds, onProgress: progress }) };
}

await runCommand({
  name: "faults",
  about:
    "Kills the process that handles a purchase after each of its messages, and looks what became of the money. Then 50 clients use up the units of a trial, round after round, while their database connections are killed.",
  options: {
    kills: {
      type: "string",
      default: "1000",
      value: "N",
      about:
        "processes that end by SIGKILL: one after each message of an activation, then two or three in a row of one purchase",
    },
    rounds: {
      type: "string",
      default: "200",
      value: "N",
      about: "rounds of 50 clients on 100 units, every other one with killed connections",
    },
    seed: {
      ...SEED_OPTION,
      about: "where those in a row are killed, what their buyers do, and in which order Reports are read",
    },
    json: JSON_OPTION,
    check: {
      ...CHECK_OPTION,
      about: `exit code 1 also when fewer than ${MIN.kills} processes were killed, or fewer than ${MIN.rounds} rounds counted`,
    },
  },
  async run(values, cleanUp) {
    const seed = wholeNumber("seed", values.seed);
    const startedAt = performance.now();
    const options = { kills: wholeNumber("kills", values.kills), rounds: wholeNumber("rounds", values.rounds), seed };
    const summary = await runFaults(options, cleanUp);
    const seconds = (performance.now() - startedAt) / 1000;
    const byMessage = Object.entries(summary.killsByMessage).sort(([, a], [, b]) => b - a);
    const code = printOutcome(values, {
      result: { seed, seconds, ...summary },
      misses: [
        ...summary.violations,
        ...summary.miscounts,
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
            ["Paid by a second signature, after a proof", summary.paidAnew],
            ["Promises broken", summary.violations.length],
            ["Rounds of 50 clients on 100 units", summary.rounds],
            ["Rounds that were miscounted", summary.miscounts.length],
          ],
        ),
        "",
        ...textTable(["Killed after the answer to", "times"], byMessage),
      ],
    });
    return summary.violations.length + summary.miscounts.length > 0 ? 1 : code;
  },
});
