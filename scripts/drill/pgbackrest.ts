import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

import { type Account, isRoot, unprivilegedAccount } from "@/db/embedded-account";
import { systemPrograms } from "@/db/embedded-binaries";
import { ROOT } from "../build/layout.mjs";
import type { CleanUp } from "../common/command";
import { adminTexts, claimPort, environmentWith, runAdmin } from "../common/processes";
import { makeDataDir } from "../common/service";
import { findInstalled } from "../test/programs.mjs";
import { query } from "../common/connection";
import { environmentOf, expectEqual, type Step } from "./installation";

const MAJOR = 15;
const SCRIPT = path.join(ROOT, "examples/backup/pgbackrest.sh");
const TIMEOUT_MS = 5 * 60_000;

/** Runs programs as the user that owns the server, with only its settings. */
const runnerOf =
  (account: Account | undefined, env: NodeJS.ProcessEnv) =>
  async (file: string, ...args: string[]): Promise<string> => {
    const options = { ...account, env, cwd: "/", timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 };
    try {
      return (await promisify(execFile)(file, args, options)).stdout;
    } catch (error) {
      const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
      throw new Error(`${path.basename(file)} ${args.join(" ")}: ${String(error)} ${output}`, { cause: error });
    }
  };

type Paths = Record<"data" | "repository" | "socket" | "locks" | "logs" | "scripts", string>;

/** Variables that the recipe reads. */
const settingsOf = (paths: Paths, { programs, port }: { programs: string; port: number }): NodeJS.ProcessEnv => ({
  ...environmentWith({}),
  LC_ALL: "C",
  PGDATA: paths.data,
  PG_BIN: programs,
  PGPORT: String(port),
  PGHOST: paths.socket,
  PGUSER: "postgres",
  PGBACKREST_CONFIG: path.join(paths.scripts, "pgbackrest.conf"),
  REPOSITORY: paths.repository,
  CIPHER_PASS: "a passphrase of the drill",
  LOCK_PATH: paths.locks,
  LOG_PATH: paths.logs,
});

/** Creates an external server: its folder, and a function that runs programs as its owner. */
async function makeServer(cleanUp: CleanUp) {
  const programs = systemPrograms(MAJOR);
  if (programs === undefined) throw new Error(`Install the server with: apt-get install postgresql-${MAJOR}`);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "imprint-pgbackrest-"));
  const account = isRoot() ? unprivilegedAccount() : undefined;
  fs.chmodSync(folder, 0o711);
  const places = {
    data: "data",
    repository: "repository",
    socket: "socket",
    locks: "locks",
    logs: "logs",
    scripts: "scripts",
  };
  const paths = Object.fromEntries(
    Object.entries(places).map(([name, at]) => [name, path.join(folder, at)]),
  ) as typeof places; // safe: the same names
  for (const at of Object.values(paths)) {
    fs.mkdirSync(at, { mode: 0o700 });
    if (account) fs.chownSync(at, account.uid, account.gid);
  }
  const script = path.join(paths.scripts, "pgbackrest.sh");
  fs.copyFileSync(SCRIPT, script);
  fs.chmodSync(script, 0o755);
  const port = await claimPort();
  const env = settingsOf(paths, { programs, port });
  const run = runnerOf(account, env);
  const program = (name: string, ...args: string[]) => run(path.join(programs, name), ...args);
  await program(
    "initdb",
    "--auth=trust",
    "--username=postgres",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
    paths.data,
  );
  fs.appendFileSync(
    path.join(paths.data, "postgresql.conf"),
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${paths.socket}'\nlog_min_error_statement = panic\n`,
  );
  const start = () => program("pg_ctl", "start", "-w", "-D", paths.data, "-l", path.join(paths.logs, "postgres.log"));
  cleanUp.push(async () => {
    await program("pg_ctl", "stop", "-m", "immediate", "-D", paths.data).catch(() => undefined);
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  return { port, start, recipe: (...args: string[]) => run(script, ...args) };
}

/** Tests the recipe for external servers: continuous archiving, an accident, and recovery to the moment before it. */
export async function drillPgBackRest(cleanUp: CleanUp, step: Step): Promise<void> {
  await findInstalled("pgbackrest");
  const { port, start, recipe } = await makeServer(cleanUp);
  await recipe("configure");
  await start();
  const server = `postgres://postgres@127.0.0.1:${port}`;
  await query(`${server}/postgres`, "create role imprint login");
  await query(`${server}/postgres`, "create database imprint owner imprint");
  const DATABASE_URL = `postgres://imprint@127.0.0.1:${port}/imprint`;
  const env = environmentOf(makeDataDir(cleanUp), { DATABASE_URL });
  await runAdmin(["migrate"], env).catch(() => undefined);
  await adminTexts(["workspace", "create", "--name", "Before the first backup"], env, "workspace_id");
  await recipe("first");
  step("archiving is on, and the first full backup is complete");
  await adminTexts(["workspace", "create", "--name", "After the backup"], env, "workspace_id");
  await recipe("backup", "incr");
  await adminTexts(["workspace", "create", "--name", "In the archive alone"], env, "workspace_id");
  const names = async () =>
    (await query(DATABASE_URL, "select name from workspaces order by created_at")).map((row) => row["name"]);
  const before = await names();
  const [now] = await query(DATABASE_URL, "select clock_timestamp()::text as at");
  const at = String(now?.["at"]);
  await delay(1_100);
  await query(DATABASE_URL, "update workspaces set name = 'Lost'");
  expectEqual(await names(), ["Lost", "Lost", "Lost"], "the accident");
  await recipe("verify");
  await recipe("restore", at);
  expectEqual(await names(), before, `the database of ${at}`);
  step(`an accident is undone: the database is as of ${at}`);
  await adminTexts(["workspace", "create", "--name", "Goes on"], env, "workspace_id");
  await recipe("backup", "full");
  step("it accepts writes and backups again");
}
