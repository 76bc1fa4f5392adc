import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type http from "node:http";
import net from "node:net";
import readline from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { ROOT } from "../build/layout.mjs";
import type { CleanUp } from "./command";

/** Variables by name; what is undefined is not set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process with other variables. */
export const environmentWith = (variables: Environment): NodeJS.ProcessEnv => ({ ...process.env, ...variables });

/** Programs that a command starts use the build of the tests, so that one of a running service stays as it is. */
export const useTestBuild = (): string => (process.env["IMPRINT_BUILD_DIR"] ||= ".test");

export type Program = ReturnType<typeof startProgram>;

/**
 * Starts a Node program of the repository. It gets a process group of its own: Ctrl-C in a terminal reaches every
 * process of a group, and a second signal would cut short a service that is already stopping.
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

/** Waits until the program answers with success, or its `isReady` is met too. */
export async function waitUntilReady(
  { name, hasEnded }: Pick<Program, "name" | "hasEnded">,
  { url, timeoutMs, isReady = () => true }: { url: string; timeoutMs: number; isReady?: () => boolean },
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(isReady() && (await answersOk(url)))) {
    if (hasEnded()) throw new Error(`The ${name} ended; its own lines say why.`);
    if (performance.now() > deadline) throw new Error(`The ${name} was not ready within ${timeoutMs / 1000} s.`);
    await delay(50);
  }
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

/** Runs one command of the operators' command line; its JSON. */
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

/** The named fields of a JSON object, each of which has to be a text. */
export function textsOf<const Name extends string>(value: unknown, ...names: readonly Name[]): Record<Name, string> {
  const fields = new Map<string, unknown>(Object.entries(value ?? {}));
  const found = names.map((name) => [name, fields.get(name)] as const);
  const missing = found.filter(([, text]) => typeof text !== "string").map(([name]) => name);
  if (missing.length > 0) throw new Error(`${missing.join(", ")} should be a text in ${JSON.stringify(value)}`);
  return Object.fromEntries(found) as Record<Name, string>; // safe: all of them were found to be texts
}

/** The named texts that one command of the operators' command line answers with. */
export const adminTexts = async <const Name extends string>(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ...names: readonly Name[]
) => textsOf(await runAdmin(args, env), ...names);

/** Listens on loopback, on any free port for 0; the port. */
function listen(server: net.Server | http.Server, port: number, host = "localhost"): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const isUsed = "code" in error && error.code === "EADDRINUSE";
      const advice = `Port ${port} is used by another program. Choose another one: PORT=${port + 10} npm run demo`;
      reject(isUsed ? new Error(advice) : error);
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("The server has no port."));
      else resolve(address.port);
    });
  });
}

/** Starts an HTTP server on loopback; its port and what stops it. */
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

/** The given port if it is free, any free one for 0. */
export async function claimPort(port = 0): Promise<number> {
  const server = net.createServer();
  const claimed = await listen(server, port);
  await new Promise((resolve) => server.close(resolve));
  return claimed;
}
