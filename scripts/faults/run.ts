import { openBenchDatabase } from "../bench-database/open";
import { startSandbox } from "../sandbox/sandbox";
import { randomOf } from "../sim/random";
import { prepareKills, runKills } from "./kills";
import { prepareMetering, runMetering } from "./metering";

type Options = { kills: number; rounds: number; seed: number; onProgress: (text: string) => void };

/** Kills, then rounds of metering, on a disposable database and in a sandbox. */
export async function runFaults({ rounds, ...options }: Options) {
  const database = await openBenchDatabase({ poolSize: 50, daysBack: 1 });
  const sandbox = await startSandbox();
  try {
    const kills = await runKills(await prepareKills(database.db, database.url, sandbox), options);
    const meter = await prepareMetering(database, sandbox, randomOf(options.seed));
    return { ...kills, rounds, miscounts: await runMetering(meter, { rounds, onProgress: options.onProgress }) };
  } finally {
    await sandbox.close();
    await database.stop();
  }
}
