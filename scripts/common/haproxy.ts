import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { findInstalled } from "../test/programs.mjs";
import type { CleanUp } from "./command";

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
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`HAProxy did not start (${program})`);
    await delay(50);
  }
}
