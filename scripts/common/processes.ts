import { execFile, spawn } from "node:child_process";
import net from "node:net";
import readline from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { ROOT } from "../build/layout.mjs";

/**
 * Starts a Node program of the repository. It gets a process group of its own: Ctrl-C in a terminal reaches every
 * process of a group, and a second signal would cut short a service that is already stopping.
 *
 * @param {string} name how its lines are marked
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, onLine: (line: string) => void }} options
 */
export function startProgram(name, args, { env, onLine }) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) readline.createInterface({ input: stream }).on("line", onLine);
  const state = { hasEnded: false };
  const ended = new Promise((resolve) => {
    child.once("error", resolve);
    child.once("close", resolve);
  }).then(() => (state.hasEnded = true));
  return {
    name,
    pid: child.pid,
    ended,
    hasEnded: () => state.hasEnded,
    async stop() {
      if (!state.hasEnded) child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * Asks until the answer is yes.
 *
 * @param {() => Promise<boolean> | boolean} check
 * @param {{ program: { name: string, hasEnded: () => boolean }, timeoutMs: number }} options
 */
export async function waitUntil(check, { program, timeoutMs }) {
  const deadline = performance.now() + timeoutMs;
  while (!(await check())) {
    if (program.hasEnded()) throw new Error(`The ${program.name} ended; its own lines above say why.`);
    if (performance.now() > deadline)
      throw new Error(`The ${program.name} was not ready within ${timeoutMs / 1000} s.`);
    await delay(50);
  }
}

/** @param {string} url */
export const answersOk = async (url) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

/**
 * Runs one command of the operators' command line and returns its JSON.
 *
 * @param {string[]} args @param {NodeJS.ProcessEnv} env
 */
export async function runAdmin(args, env) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["scripts/admin.mjs", ...args, "--json"], {
      cwd: ROOT,
      env,
    });
    return JSON.parse(stdout);
  } catch (error) {
    throw new Error(`admin ${args.slice(0, 2).join(" ")} failed: ${error.stderr || error.message}`, { cause: error });
  }
}

/** @param {net.Server | import("node:http").Server} server @param {number} port @returns {Promise<number>} */
export function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isUsed = /** @type {NodeJS.ErrnoException} */ (error).code === "EADDRINUSE";
      const advice = `Port ${port} is used by another program. Choose another one: PORT=${port + 10} npm run demo`;
      reject(isUsed ? new Error(advice) : error);
    });
    server.listen(port, "localhost", () => resolve(/** @type {net.AddressInfo} */ (server.address()).port));
  });
}

/** The given port if it is free, any free one for 0. @param {number} port */
export async function claimPort(port) {
  const server = net.createServer();
  const claimed = await listen(server, port);
  await new Promise((resolve) => server.close(resolve));
  return claimed;
}
