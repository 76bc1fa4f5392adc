import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findInstalled } from "../test/programs.mjs";
import type { CleanUp } from "./command";
import { until } from "./until";

const READY_TIMEOUT_MS = 30_000;

/** Starts HAProxy with a configuration and waits for `isReady`. */
export async function startHaproxy(
  { configuration, isReady }: { configuration: string; isReady: () => Promise<boolean> },
  cleanUp: CleanUp,
): Promise<void> {
  const program = await findInstalled("haproxy");
  const folder = mkdtempSync(join(tmpdir(), "imprint-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, configuration);
  const child = spawn(program, ["-db", "-q", "-f", file], { stdio: "ignore", detached: true });
  cleanUp.push(async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await until(isReady, {
    what: `HAProxy did not start (${program})`,
    timeoutMs: READY_TIMEOUT_MS,
    everyMs: 50,
    isDead: () => child.exitCode !== null,
  });
}
