import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const STOP_TIMEOUT_MS = 5_000;

/** Sends a signal to a process group; returns whether any process was left. Signal 0 only checks. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

export type ProcessGroup = ReturnType<typeof startGroup>;

/** Starts a program in a new process group, so that stopping it also stops every process it started. */
export function startGroup(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => lines.push(chunk.toString().slice(0, 2_000)));
  child.once("error", (error) => lines.push(error.message));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    /** Resolves when the program itself has exited. */
    ended,
    output: () => lines.join("").slice(-2_000),
    async stop() {
      if (child.pid === undefined) return;
      signalGroup(child.pid, "SIGTERM");
      const deadline = performance.now() + STOP_TIMEOUT_MS;
      while (signalGroup(child.pid, 0) && performance.now() < deadline) await delay(50);
      signalGroup(child.pid, "SIGKILL");
    },
  };
}

export const makeFolder = (name: string): string => fs.mkdtempSync(path.join(os.tmpdir(), `imprint-${name}-`));

/** Removes a folder with retries, because browsers still write while exiting. */
export const removeFolder = (folder: string): void => {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
};
