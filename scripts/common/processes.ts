import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type http from "node:http";
import net from "node:net";
import readline from "node:readline";
import { promisify } from "node:util";

import { ROOT } from "../build/layout.mjs";
import type { CleanUp } from "./command";
import { until } from "./until";

/** Environment variables by name; undefined ones are not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** This process's environment with additional variables. */
export const environmentWith = (variables: Environment): NodeJS.ProcessEnv => ({ ...process.env, ...variables });

/** Makes started programs use the test build, so that a running service's build is not touched. */
export const useTestBuild = (): string => (process.env["IMPRINT_BUILD_DIR"] ||= ".test");

export type Program = ReturnType<typeof startProgram>;

/**
 * Starts a Node program of the repository in a new process group: Ctrl-C in a terminal signals every process of a
 * group, and a second signal would cut short a service that is already stopping.
 */
export function startProgram(
  name: string,
  args: readonly string[],
  { env, onLine }: { env: NodeJS.ProcessEnv; onLine: (line: string) => void },
) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) readline.createInterface({ input: stream }).on("line", onLine);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      resolve();
    };
    child.once("error", end).once("close", end);
  });
  return {
    name,
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => hasEnded,
    async stop() {
      if (!hasEnded) child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Waits until the program responds with success and, if given, `isReady` is true. */
export async function waitUntilReady(
  { name, hasEnded }: Pick<Program, "name" | "hasEnded">,
  { url, timeoutMs, isReady = () => true }: { url: string; timeoutMs: number; isReady?: () => boolean },
): Promise<void> {
  const what = () =>
    hasEnded() ? `The ${name} exited; its output says why.` : `The ${name} was not ready within ${timeoutMs / 1000} s.`;
  await until(async () => isReady() && (await answersOk(url)), { what, timeoutMs, everyMs: 50, isDead: hasEnded });
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Runs one admin command; returns its JSON. */
export async function runAdmin(args: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown> {
  try {
    const command = ["scripts/admin.mjs", ...args, "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
    return JSON.parse(stdout);
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr) || error.message : error;
    throw new Error(`admin ${args.slice(0, 2).join(" ")} failed: ${String(reason)}`, { cause: error });
  }
}

/** The named fields of a JSON object, all of which must be strings. */
export function textsOf<const Name extends string>(value: unknown, ...names: readonly Name[]): Record<Name, string> {
  const fields = new Map<string, unknown>(Object.entries(value ?? {}));
  const found = names.map((name) => [name, fields.get(name)] as const);
  const missing = found.filter(([, text]) => typeof text !== "string").map(([name]) => name);
  if (missing.length > 0) throw new Error(`${missing.join(", ")} should be a string in ${JSON.stringify(value)}`);
  return Object.fromEntries(found) as Record<Name, string>; // safe: all of them were found to be texts
}

/** The named string fields of an admin command's result. */
export const adminTexts = async <const Name extends string>(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ...names: readonly Name[]
) => textsOf(await runAdmin(args, env), ...names);

/** Listens on loopback, on a free port if `port` is 0; returns the port. */
function listen(server: net.Server | http.Server, port: number, host = "localhost"): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isUsed = "code" in error && error.code === "EADDRINUSE";
      const advice = `Port ${port} is in use by another program. Choose another one: PORT=${port + 10} npm run demo`;
      reject(isUsed ? new Error(advice) : error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("The server has no port."));
      else resolve(address.port);
    });
  });
}

/** Starts an HTTP server on loopback; returns its port and a function that stops it. */
export async function listenHttp(server: http.Server, { port = 0, host = "localhost", cleanUp }: ListenOptions = {}) {
  const close = async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const taken = await listen(server, port, host);
  cleanUp?.push(close);
  return { port: taken, url: `http://${host}:${taken}`, close };
}
type ListenOptions = { port?: number; host?: string; cleanUp?: CleanUp };

/** Returns the given port if it is free, or any free port for 0. */
export async function claimPort(port = 0): Promise<number> {
  const server = net.createServer();
  const claimed = await listen(server, port);
  await new Promise((resolve) => server.close(resolve));
  return claimed;
}
