import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import { canReach } from "@/db/embedded-account";
import { processTree } from "@/scripts/common/proc";
import { NODE_FLAGS } from "@/scripts/start/node-flags.mjs";

export { processTree };

export const ROOT = resolve(import.meta.dirname, "../..");

/** A temporary data directory that the server's user can enter. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "imprint-process-"));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * This checkout, or a copy if `account` cannot enter it. Copied with hard links, because a full copy takes a minute.
 */
export function checkoutFor(account: { uid: number; gid: number }): { folder: string; remove: () => void } {
  if (canReach(ROOT, account)) return { folder: ROOT, remove: () => undefined };
  const parent = makeDataDir();
  const folder = join(parent, "imprint");
  try {
    execFileSync("cp", ["-a", "--link", ROOT, folder], { stdio: "ignore" });
  } catch {
    // The temporary folder is on another file system.
    execFileSync("cp", ["-a", ROOT, folder]);
  }
  return {
    folder,
    remove: () => {
      removeDataDir(parent);
    },
  };
}

export const removeDataDir = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true });
};

export type Service = {
  /** The process that was started: the service itself, npm, or the terminal around it. */
  root: ChildProcess;
  /** Everything printed so far on stdout and stderr. */
  output: () => string;
  url: string;
  port: number;
  /** Resolves to its exit code. */
  ended: Promise<number | null>;
  signal: (signal: NodeJS.Signals) => void;
  /** Signals the process and everything it has started, as a group. */
  signalGroup: (signal: NodeJS.Signals) => void;
  /** Presses Ctrl-C; only for a service in a terminal. */
  pressCtrlC: () => void;
};

type User = { uid?: number; gid?: number };
/** Starts through npm, as a user would, instead of running npm's command directly, which saves a fifth of a second. */
type Way = { byNpm?: boolean };
type Options = User &
  Way & {
    dataDir: string;
    environment?: Record<string, string>;
    cwd?: string;
    isInTerminal?: boolean;
  };

/** `script` from util-linux, part of every Debian, runs a command in a new terminal and returns its exit code. */
const IN_TERMINAL = ["script", "--quiet", "--return", "--flush", "--command", "exec npm start", "/dev/null"] as const;

/** The command behind `npm start`. */
const DIRECTLY = [process.execPath, ...NODE_FLAGS, "scripts/start.mjs"] as const;

function commandOf({ isInTerminal, byNpm }: Pick<Options, "isInTerminal" | "byNpm">): readonly [string, ...string[]] {
  if (isInTerminal) return IN_TERMINAL;
  return byNpm ? ["npm", "start"] : DIRECTLY;
}

/** Ends a service with this process, since Ctrl-C for the tests does not reach its session. Part of util-linux. */
const ENDING_WITH_TESTS = process.platform === "linux" ? ["setpriv", "--pdeathsig", "TERM"] : [];

/**
 * Starts the service from the test run's build, in a session of its own. Linux shares processors between sessions first,
 * as it does between the control groups of systemd's services and of containers: in the session of the tests, the lower
 * priority of the pages process lets every other test go first, and a page can take over ten seconds.
 */
export function launch({
  dataDir,
  environment = {},
  cwd = ROOT,
  isInTerminal = false,
  byNpm = false,
  ...user
}: Options): Omit<Service, "url" | "port"> {
  const [command = "", ...parameters] = [...ENDING_WITH_TESTS, ...commandOf({ isInTerminal, byNpm })];
  const root = spawn(command, parameters, {
    cwd,
    ...user,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      IMPRINT_BUILD_DIR: ".test",
      DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "warn",
      ...environment,
    },
  });
  const chunks: string[] = [];
  const collect = (chunk: Buffer) => chunks.push(chunk.toString());
  root.stdout.on("data", collect);
  root.stderr.on("data", collect);
  const ended = new Promise<number | null>((done) => root.once("close", done));
  const signal = (name: NodeJS.Signals) => void root.kill(name);
  const signalGroup = (name: NodeJS.Signals) => void process.kill(-Number(root.pid), name);
  const pressCtrlC = () => void root.stdin.write("\u0003");
  return { root, output: () => chunks.join(""), ended, signal, signalGroup, pressCtrlC };
}

type AdminOptions = User & Way & { dataDir: string; environment?: Record<string, string>; cwd?: string };

/** Runs one admin command with `--json`; returns its exit code and output. */
export async function runAdmin(
  argv: string[],
  { dataDir, environment = {}, cwd = ROOT, byNpm, ...user }: AdminOptions,
) {
  const [command, ...parameters] = byNpm
    ? ["npm", "run", "-s", "admin", "--", ...argv]
    : [process.execPath, "scripts/admin.mjs", ...argv];
  const child = spawn(command, [...parameters, "--json"], {
    cwd,
    ...user,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", IMPRINT_BUILD_DIR: ".test", DATA_DIR: dataDir, ...environment },
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = child.exitCode ?? (await new Promise<number | null>((done) => child.once("close", done)));
  return { code, stdout, stderr };
}

const START_TIMEOUT_MS = 90_000;
/** Terminals end lines with a carriage return. */
const ADDRESS = /^Imprint\s+http:\/\/[^\s:]+(?::(\d+))?\r?$/m;

/** Starts a service and waits until it is ready. If `BASE_URL` has no port, `PORT` must be set. */
export async function startService(options: Options): Promise<Service> {
  const launched = launch(options);
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (launched.root.exitCode === null && !ADDRESS.test(launched.output()) && performance.now() < deadline)
    await delay(25);
  const [line, shown] = ADDRESS.exec(launched.output()) ?? [];
  if (line === undefined) throw new Error(`The service did not start:\n${launched.output()}`);
  const port = Number(shown ?? options.environment?.["PORT"]);
  return { ...launched, url: `http://localhost:${port}`, port };
}

/** Stops a service and waits until it has exited. */
export async function stopService(service: Pick<Service, "signal" | "ended">): Promise<number | null> {
  service.signal("SIGTERM");
  return service.ended;
}

/** Whether a process is running; a zombie is not. */
export function isRunning(id: number): boolean {
  try {
    return existsSync(`/proc/${id}`) && !/\) Z /.test(readFileSync(`/proc/${id}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Kills a service and all its descendants with SIGKILL and waits until they are gone; returns their ids. */
export async function killTree({ root }: Pick<Service, "root">): Promise<number[]> {
  const everyone = processTree(root.pid ?? 0);
  for (const id of everyone) {
    try {
      process.kill(id, "SIGKILL");
    } catch {
      continue; // a child of a process killed just before
    }
  }
  while (everyone.some(isRunning)) await delay(20);
  return everyone;
}

/** Process id of the embedded server. */
export const postmasterOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);

export const userOf = (id: number): string =>
  execFileSync("ps", ["-o", "user=", "-p", String(id)], { encoding: "utf8" }).trim();

/** Users of the PostgreSQL processes among `ids`, from one snapshot, since its workers come and go. */
export const usersOfPostgres = (ids: readonly number[]): string[] =>
  execFileSync("ps", ["-o", "user=,comm=", "-p", ids.join()], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([user = "", command]) => (command === "postgres" ? [user] : []));

export { embeddedDatabaseUrl as databaseUrlOf } from "@/scripts/common/embedded-database";

export async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
