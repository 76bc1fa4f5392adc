import { openBenchDatabase } from "../bench-database/open";
import { startSandbox } from "../sandbox/sandbox";
import { prepareKills, runKills } from "./kills";

/** The kills on a disposable database, in a sandbox. */
export async function runFaults(options: Parameters<typeof runKills>[1]) {
  const database = await openBenchDatabase({ poolSize: 24, daysBack: 1 });
  const sandbox = await startSandbox();
  try {
    return await runKills(await prepareKills(database.db, database.url, sandbox), options);
  } finally {
    await sandbox.close();
    await database.stop();
  }
}
