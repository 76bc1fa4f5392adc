import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const STOP_TIMEOUT_MS = 5_000;

const isAlive = (pid) => {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
};

const signalGroup = (pid, signal) => {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
};

/**
 * Starts a program in a process group of its own, so that stopping it reaches every process that it started.
 *
 * @param {string} file @param {string[]} args @param {NodeJS.ProcessEnv} env
 */
export function startGroup(file, args, env) {
  const child = spawn(file, args, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const lines = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => lines.push(chunk.toString().slice(0, 2_000)));
  child.once("error", (error) => lines.push(error.message));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    /** Resolves when the program itself has ended. */
    ended,
    output: () => lines.join("").slice(-2_000),
    async stop() {
      if (child.pid === undefined) return;
      signalGroup(child.pid, "SIGTERM");
      const deadline = performance.now() + STOP_TIMEOUT_MS;
      while (isAlive(child.pid) && performance.now() < deadline) await delay(50);
      signalGroup(child.pid, "SIGKILL");
    },
  };
}

/** What the page of a browser without a driver reports; the browser is stopped in any case. */
export async function outcomeOf(browser, outcome) {
  try {
    return await outcome;
  } catch (error) {
    throw new Error(`${error.message}: ${browser.output()}`, { cause: error });
  } finally {
    await browser.stop();
  }
}

export const makeFolder = (name) => fs.mkdtempSync(path.join(os.tmpdir(), `imprint-risk-${name}-`));

/** Browsers still write while they end. */
export const removeFolder = (folder) =>
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

/** A virtual screen that chooses its own number; `undefined` when it does not start. */
export async function openScreen(xvfb, size) {
  const child = spawn(xvfb, ["-displayfd", "3", "-screen", "0", `${size}x24`, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const number = await new Promise((resolve) => {
    child.stdio[3].once("data", (chunk) => resolve(chunk.toString().trim()));
    child.once("error", () => resolve(undefined));
    child.once("exit", () => resolve(undefined));
  });
  return { display: number === undefined ? undefined : `:${number}`, close: () => child.kill("SIGTERM") };
}
