import { spawn } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { Account } from "./embedded-account";
import { type ConnectionFile, probe, ROLE } from "./embedded-connection";
import { clearKilledServer, postmasterOn, type ServerProcess, waitForEnd } from "./embedded-processes";
import { refuseUseElsewhere } from "./embedded-use";
import { codeOf } from "./failures";
import { describeFullDisk } from "./full-disk.mjs";
import { isAlive } from "./processes.mjs";

/** A PostgreSQL cluster on disk, with the programs and the user that run it. */
export type Cluster = {
  /** Contains `data` and `pg.log`. */
  folder: string;
  programs: string;
  /** Undefined when this process's own user runs the server. */
  account: Account | undefined;
  /** Trades crash safety for speed, for databases that last only as long as a test run. */
  disposable: boolean;
};

const READY_TIMEOUT_MS = 60_000;
const FAST_STOP_TIMEOUT_MS = 15_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export const dataFolderOf = (cluster: Pick<Cluster, "folder">): string => join(cluster.folder, "data");
const logFileOf = (cluster: Cluster) => join(cluster.folder, "pg.log");

/** A clean environment, so that PGDATA, PGPORT and the caller's locale do not affect the programs. */
const programEnvironment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

const MEGABYTE = 1024 * 1024;
const SHARED_MEGABYTES = { least: 128, most: 2048 } as const;

/**
 * Size of shared_buffers: an eighth of the memory that this machine or container may use. A page read from the file
 * system cache instead takes 4 to 9 µs longer, and charts of ten million visits read a hundred thousand pages.
 */
export function sharedMegabytes(totalBytes = totalmem(), allowedBytes = process.constrainedMemory()): number {
  // 0 means unlimited, as does a value above the physical memory.
  const usable = allowedBytes > 0 ? Math.min(totalBytes, allowedBytes) : totalBytes;
  const share = Math.floor(usable / 8 / MEGABYTE);
  return Math.min(SHARED_MEGABYTES.most, Math.max(SHARED_MEGABYTES.least, share));
}

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=100",
  `shared_buffers=${sharedMegabytes()}MB`,
  // The first change of a page after a checkpoint writes the whole page to the WAL. Compression reduces that to a
  // third, and rarer checkpoints need it less often. Recovery reads at most half of max_wal_size however rare they are.
  "wal_compression=on",
  "checkpoint_timeout=15min",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_line_prefix=%m [%p] ",
  // Statements can contain key hashes and addresses, so they are kept out of pg.log.
  "log_min_error_statement=panic",
];
/** Test files run concurrently, some with a pool of 50. */
const DISPOSABLE_SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];

/**
 * Runs a program to its end and returns what it printed if it failed. It has its own process group: Ctrl-C in the
 * terminal reaches only this process, which then stops in order.
 */
function runProgram(
  cluster: Cluster,
  name: string,
  options: readonly string[],
  input = "",
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(join(cluster.programs, name), options, {
      ...cluster.account,
      cwd: "/",
      env: programEnvironment,
      detached: true,
      stdio: ["pipe", "ignore", "pipe"],
    });
    let printed = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.once("error", (error) => {
      resolve(error.message);
    });
    child.once("close", (code, signal) => {
      resolve(code === 0 ? undefined : printed || `it ended with ${signal ?? code ?? "no code"}`);
    });
  });
}

/** In the words of PostgreSQL's programs, whose locale is C. */
const adviceOn = (failure: string) =>
  failure.includes("No space left on device")
    ? "its disk is full, and a new database takes about 70 MB. Free space there, or set DATA_DIR to a folder on a larger disk.\n"
    : "";

/**
 * Creates the cluster, in a temporary folder first so that an interrupted start leaves nothing that looks complete.
 * Returns false if it already exists.
 */
export async function initialise(cluster: Cluster, password: string): Promise<boolean> {
  const data = dataFolderOf(cluster);
  if (existsSync(join(data, "PG_VERSION"))) return false;
  const draft = `${data}.new`;
  rmSync(draft, { recursive: true, force: true });
  const passwordFile = join(cluster.folder, "password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (cluster.account) chownSync(passwordFile, cluster.account.uid, cluster.account.gid);
  const options = [
    "-D",
    draft,
    "-U",
    ROLE,
    "-A",
    "scram-sha-256",
    `--pwfile=${passwordFile}`,
    "-E",
    "UTF8",
    "--locale=C",
  ];
  if (cluster.disposable) options.push("--no-sync");
  const failure = await runProgram(cluster, "initdb", options);
  rmSync(passwordFile);
  if (failure !== undefined)
    throw new Error(`PostgreSQL could not create its files in ${draft}: ${adviceOn(failure)}${failure}`);
  renameSync(draft, data);
  return true;
}

/** Sets a new password after `conn.json` was lost: the owner of the files owns the data anyway. */
export async function resetPassword(cluster: Cluster, password: string): Promise<void> {
  const options = ["--single", "-D", dataFolderOf(cluster), "postgres"];
  const failure = await runProgram(cluster, "postgres", options, `alter role ${ROLE} password '${password}'\n`);
  if (failure !== undefined) throw new Error(`PostgreSQL could not open ${cluster.folder}: ${failure}`);
}

function openLog(cluster: Cluster): number {
  const file = logFileOf(cluster);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

const tail = (cluster: Cluster) => readFileSync(logFileOf(cluster), "utf8").trimEnd().split("\n").slice(-8).join("\n");

type Attempt = { outcome: "ready" } | { outcome: "failed"; log: string };

async function attempt(cluster: Cluster, connection: ConnectionFile, signal?: AbortSignal): Promise<Attempt> {
  const settings = cluster.disposable ? [...SETTINGS, ...DISPOSABLE_SETTINGS] : SETTINGS;
  const log = openLog(cluster);
  const child = spawn(
    join(cluster.programs, "postgres"),
    ["-D", dataFolderOf(cluster), "-p", String(connection.port), ...settings.flatMap((setting) => ["-c", setting])],
    // Its own process group: Ctrl-C in the terminal reaches only the service, which then stops the server in order.
    { ...cluster.account, cwd: "/", env: programEnvironment, detached: true, stdio: ["ignore", "ignore", log] },
  );
  closeSync(log);
  let ended: string | undefined;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended ??= `it ended with ${signal ?? code ?? "no code"}`));
  child.unref();
  const startedAt = performance.now();
  while ((await probe(connection, dataFolderOf(cluster))) !== "ready") {
    if (ended !== undefined) return { outcome: "failed", log: `${ended}\n${tail(cluster)}` };
    const isLate = performance.now() - startedAt > READY_TIMEOUT_MS;
    if (isLate || signal?.aborted) {
      child.kill("SIGQUIT");
      const why = isLate ? `it did not answer within ${READY_TIMEOUT_MS / 1000} s` : "the start was interrupted";
      return { outcome: "failed", log: `${why}\n${tail(cluster)}` };
    }
    await delay(POLL_MS);
  }
  return { outcome: "ready" };
}

/**
 * Starts the server and waits until it answers a query.
 *
 * @throws Error with the end of its log if it does not
 */
export async function launch(cluster: Cluster, connection: ConnectionFile, signal?: AbortSignal): Promise<void> {
  await refuseUseElsewhere(cluster.folder, signal);
  await clearKilledServer(dataFolderOf(cluster), signal);
  const result = await attempt(cluster, connection, signal);
  if (result.outcome === "failed") {
    const full = describeFullDisk(cluster.folder);
    const reason = full === undefined ? result.log : `${full}\n${result.log}`;
    throw new Error(`PostgreSQL did not start on ${cluster.folder} (log: ${logFileOf(cluster)}): ${reason}`);
  }
}

/** Signals a process; false if it has ended. */
function signalTo(id: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(id, signal);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return false;
    throw error;
  }
}

/**
 * Stops the server gracefully, or by force after a timeout. Data is safe either way.
 *
 * @param known its process, if it was known earlier: its files may be unreadable by now, or be those of another server
 * @returns whether a server was running
 */
export async function halt(cluster: Pick<Cluster, "folder" | "disposable">, known?: ServerProcess): Promise<boolean> {
  const id = known && isAlive(known.id, known.birth) ? known.id : postmasterOn(dataFolderOf(cluster));
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate shutdown.
  if (id === undefined || !signalTo(id, cluster.disposable ? "SIGQUIT" : "SIGINT")) return false;
  if (await waitForEnd(id, FAST_STOP_TIMEOUT_MS)) return true;
  signalTo(id, "SIGQUIT");
  if (await waitForEnd(id, IMMEDIATE_STOP_TIMEOUT_MS)) return true;
  throw new Error(`PostgreSQL (process ${id}) does not stop; its files are in ${cluster.folder}.`);
}
