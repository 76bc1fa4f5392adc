import { spawn, spawnSync } from "node:child_process";
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
import { clearKilledServer, postmasterOn, waitForEnd } from "./embedded-processes";

/** One PostgreSQL cluster on disk and the programs and user that run it. */
export type Cluster = {
  /** Holds `data` and `pg.log`. */
  folder: string;
  programs: string;
  /** Undefined when this process's own user runs the server. */
  account: Account | undefined;
  /** Trades crash safety for speed: for databases that do not outlive a test run. */
  disposable: boolean;
};

const READY_TIMEOUT_MS = 60_000;
const FAST_STOP_TIMEOUT_MS = 15_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 20;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export const dataFolderOf = (cluster: Pick<Cluster, "folder">): string => join(cluster.folder, "data");
const logFileOf = (cluster: Cluster) => join(cluster.folder, "pg.log");

/** Nothing of the caller's environment (PGDATA, PGPORT, locale) reaches the programs. */
const programEnvironment: NodeJS.ProcessEnv = {
  NODE_ENV: "production",
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
};

const MEGABYTE = 1024 * 1024;
const SHARED_MEGABYTES = { least: 128, most: 2048 } as const;

/**
 * Pages that the server keeps itself: an eighth of what this machine, or container, may use. From the file system's
 * cache each takes 4 to 9 µs more, and charts of ten million visits read a hundred thousand.
 */
export function sharedMegabytes(totalBytes = totalmem(), allowedBytes = process.constrainedMemory()): number {
  // 0 says that there is no limit, and so does a number beyond what there is.
  const usable = allowedBytes > 0 ? Math.min(totalBytes, allowedBytes) : totalBytes;
  const share = Math.floor(usable / 8 / MEGABYTE);
  return Math.min(SHARED_MEGABYTES.most, Math.max(SHARED_MEGABYTES.least, share));
}

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=100",
  `shared_buffers=${sharedMegabytes()}MB`,
  // A page that is changed first after a checkpoint is written ahead whole: compressed it is a third, and with fewer
  // checkpoints there are fewer. A recovery reads half of max_wal_size at most, however rare they are.
  "wal_compression=on",
  "checkpoint_timeout=15min",
  "timezone=UTC",
  "log_timezone=UTC",
  "log_line_prefix=%m [%p] ",
  // Statements can carry key hashes and addresses: they stay out of pg.log.
  "log_min_error_statement=panic",
];
/** Test files run side by side, some with a pool of 50. */
const DISPOSABLE_SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];

/**
 * Creates the cluster in a temporary folder first: an interrupted start leaves nothing that looks complete.
 * False when it exists.
 */
export function initialise(cluster: Cluster, password: string): boolean {
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
  const result = spawnSync(join(cluster.programs, "initdb"), options, {
    ...cluster.account,
    encoding: "utf8",
    cwd: "/",
    env: programEnvironment,
  });
  rmSync(passwordFile);
  if (result.status !== 0) {
    throw new Error(`PostgreSQL could not make its files in ${draft}: ${result.stderr || String(result.error)}`);
  }
  renameSync(draft, data);
  return true;
}

/** Gives the role a new password when `conn.json` was lost: whoever owns the files owns the data. */
export function resetPassword(cluster: Cluster, password: string): void {
  const result = spawnSync(join(cluster.programs, "postgres"), ["--single", "-D", dataFolderOf(cluster), "postgres"], {
    ...cluster.account,
    input: `alter role ${ROLE} password '${password}'\n`,
    encoding: "utf8",
    cwd: "/",
    env: programEnvironment,
  });
  if (result.status !== 0)
    throw new Error(`PostgreSQL could not open ${cluster.folder}: ${result.stderr || String(result.error)}`);
}

function openLog(cluster: Cluster): number {
  const file = logFileOf(cluster);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, "a", 0o600);
}

const tail = (cluster: Cluster) => readFileSync(logFileOf(cluster), "utf8").trimEnd().split("\n").slice(-8).join("\n");

type Attempt = { outcome: "ready" } | { outcome: "failed"; log: string };

async function attempt(cluster: Cluster, connection: ConnectionFile): Promise<Attempt> {
  const settings = cluster.disposable ? [...SETTINGS, ...DISPOSABLE_SETTINGS] : SETTINGS;
  const log = openLog(cluster);
  const child = spawn(
    join(cluster.programs, "postgres"),
    ["-D", dataFolderOf(cluster), "-p", String(connection.port), ...settings.flatMap((setting) => ["-c", setting])],
    // A process group of its own: Ctrl-C in the terminal reaches the service, which stops the server in order.
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
    if (performance.now() - startedAt > READY_TIMEOUT_MS) {
      child.kill("SIGQUIT");
      return { outcome: "failed", log: `it did not answer within ${READY_TIMEOUT_MS / 1000} s\n${tail(cluster)}` };
    }
    await delay(POLL_MS);
  }
  return { outcome: "ready" };
}

/**
 * Starts the server and returns when it answers a query.
 *
 * @throws Error with the end of its log when it does not
 */
export async function launch(cluster: Cluster, connection: ConnectionFile): Promise<void> {
  await clearKilledServer(dataFolderOf(cluster));
  const result = await attempt(cluster, connection);
  if (result.outcome === "failed") {
    throw new Error(`PostgreSQL did not start on ${cluster.folder} (log: ${logFileOf(cluster)}): ${result.log}`);
  }
}

/** Stops the server gracefully, or by force after a timeout. Data is safe in both cases. */
export async function halt(cluster: Pick<Cluster, "folder" | "disposable">): Promise<void> {
  const id = postmasterOn(dataFolderOf(cluster));
  if (id === undefined) return;
  // SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate one.
  process.kill(id, cluster.disposable ? "SIGQUIT" : "SIGINT");
  if (await waitForEnd(id, FAST_STOP_TIMEOUT_MS)) return;
  process.kill(id, "SIGQUIT");
  if (!(await waitForEnd(id, IMMEDIATE_STOP_TIMEOUT_MS))) {
    throw new Error(`PostgreSQL (process ${id}) does not stop; its files are in ${cluster.folder}.`);
  }
}
