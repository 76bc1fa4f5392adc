import path from "node:path";

import { ROOT } from "../build/layout.mjs";
import { answersOk, claimPort, startProgram, waitUntil } from "../demo/processes.mjs";

const READY_TIMEOUT_MS = 10 * 60_000;

/**
 * The real service in production, with an embedded database in `dataDir`.
 *
 * @param {{ dataDir: string, workers: number }} options
 */
export async function startMeasuredService({ dataDir, workers }) {
  const port = await claimPort(0);
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    DATABASE_URL: "",
    PORT: String(port),
    WORKERS: String(workers),
    TRUSTED_PROXIES: "loopback",
    LOG_LEVEL: "error",
  };
  const lines = /** @type {string[]} */ ([]);
  const program = startProgram("service", [path.join(ROOT, "scripts/start.mjs")], {
    env,
    onLine: (line) => lines.push(line),
  });
  try {
    const address = `http://127.0.0.1:${port}`;
    await waitUntil(() => answersOk(`${address}/readyz`), { program, timeoutMs: READY_TIMEOUT_MS });
    return { ...program, address };
  } catch (error) {
    await program.stop();
    throw new Error(`${error.message}\n${lines.join("\n")}`, { cause: error });
  }
}
