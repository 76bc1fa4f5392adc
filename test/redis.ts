import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { claimPort } from "@/scripts/common/processes";
import { findInstalled } from "@/scripts/test/programs.mjs";

const START_TIMEOUT_MS = 30_000;

export type RedisProcess = {
  address: string;
  url: string;
  signal: (signal: NodeJS.Signals) => void;
  stop: () => Promise<void>;
};

/** Starts a server; undefined if it exited immediately because another process took the port. */
async function launch(folder: string, address: string): Promise<RedisProcess | undefined> {
  const port = await claimPort();
  const options = ["--bind", "127.0.0.1", "--port", String(port), "--unixsocket", address];
  const child = spawn(await findInstalled("redis"), [...options, "--save", "", "--appendonly", "no", "--dir", folder], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      resolve();
    });
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!existsSync(address)) {
    if (child.exitCode !== null) return undefined;
    if (performance.now() > deadline) throw new Error("the Redis server did not start");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    address,
    url: `redis://127.0.0.1:${port}`,
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a Redis server on a socket and on loopback; nothing of it stays on disk. */
export async function startRedis(): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), "imprint-redis-"));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const server = await launch(folder, join(folder, `redis-${attempt}.sock`));
    if (server) return server;
  }
  throw new Error("the Redis server exited immediately, five times");
}
