import { connect } from "@/db/client";
import { killTree, makeDataDir, removeDataDir } from "@/e2e/process/service";
import { type RunningService, startService, TEST_SECRETS, untilOnSale } from "@/e2e/service";
import type { CleanUp } from "../common/command";
import { startSandbox } from "../sandbox/sandbox";
import type { Seller } from "./purchases";
import { openServer } from "./service-under-test";

const SETTLE_TIMEOUT_SECONDS = 2;

/** Starts the real service on a new database, selling in a sandbox. */
export async function openSeller(cleanUp: CleanUp): Promise<Seller> {
  const { url: databaseUrl } = await openServer(cleanUp);
  const sandbox = await startSandbox();
  cleanUp.push(() => sandbox.close());
  const dataDir = makeDataDir();
  cleanUp.push(() => {
    removeDataDir(dataDir);
  });
  const start = async () => {
    const service = await startService({
      dataDir,
      databaseUrl,
      environment: {
        ...TEST_SECRETS,
        ...sandbox.variables,
        X402_SETTLE_TIMEOUT_S: String(SETTLE_TIMEOUT_SECONDS),
        TRUSTED_PROXIES: "loopback",
        LOG_LEVEL: "silent",
      },
    });
    await untilOnSale(service);
    return service;
  };
  let service: RunningService = await start();
  cleanUp.push(() => service.stop());
  const { db, close } = connect({ url: databaseUrl, poolSize: 2, prepare: true, applicationName: "faults" });
  cleanUp.push(() => close());
  return {
    sandbox,
    db,
    url: () => service.url,
    async restart() {
      await killTree(service);
      service = await start();
    },
  };
}
