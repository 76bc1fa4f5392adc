import { execFile, type ExecFileOptions } from "node:child_process";
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { accountFor, prepareFolder } from "@/db/embedded";
import type { CleanUp } from "../common/command";
import { claimPort, environmentWith } from "../common/processes";
import { onConnection } from "../common/connection";

const ROOT = "/usr/lib/postgresql";
const run = promisify(execFile);

/** Programs of the newest Debian PostgreSQL with Citus installed. */
function findPrograms(): string {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find((each) => existsSync(join(ROOT, each, "lib/citus.so")));
  if (version === undefined)
    throw new Error(
      `No PostgreSQL below ${ROOT} has Citus. Install it (postgresql-15-citus-13.0 of Citus' packages), or pass a coordinator with an empty database as --database URL`,
    );
  return join(ROOT, version, "bin");
}

async function administer(url: string, ...statements: string[]): Promise<void> {
  await onConnection(url, async (sql) => {
    for (const statement of statements) await sql.unsafe(statement);
  });
}

type Server = { port: number; kill: () => Promise<void>; start: () => Promise<void> };

async function createServer(folder: string, programs: string, port: number, cleanUp: CleanUp): Promise<Server> {
  const account = accountFor(folder);
  const top = prepareFolder(folder, account);
  const data = join(top, "data");
  // A separate home directory, where Citus looks for certificates when connecting to other servers.
  const env = environmentWith({ HOME: top });
  const as: ExecFileOptions = account ? { uid: account.uid, gid: account.gid, cwd: "/", env } : { env };
  await run(join(programs, "initdb"), ["-D", data, "-U", "postgres", "--auth=trust"], as);
  const settings = {
    ...{ port, listen_addresses: "'127.0.0.1'", unix_socket_directories: `'${top}'`, shared_buffers: "'128MB'" },
    ...{ shared_preload_libraries: "'citus'", wal_level: "logical", max_connections: 200, fsync: "off" },
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  appendFileSync(join(data, "postgresql.conf"), lines.join(""));
  const control = (...args: string[]) =>
    run(join(programs, "pg_ctl"), ["-D", data, "-l", join(top, "log"), "-w", ...args], as);
  const start = async () => void (await control("start"));
  cleanUp.push(() => control("stop", "-m", "immediate").catch(() => undefined));
  await start();
  return {
    port,
    start,
    /** Like a power failure. */
    async kill() {
      const [pid = ""] = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
      await control("stop", "-m", "immediate");
      if (pid === "") throw new Error("the server did not run");
    },
  };
}

export type Cluster = {
  /** Creates an empty database on each server; returns its URL. */
  createDatabase: (name: string) => Promise<string>;
  workers: { name: string; kill: () => Promise<void>; start: () => Promise<void> }[];
};

/** Starts a coordinator and two servers that accept shards. */
export async function startCluster(cleanUp: CleanUp): Promise<Cluster> {
  const programs = findPrograms();
  const top = mkdtempSync(join(tmpdir(), "imprint-cluster-"));
  cleanUp.push(() => {
    rmSync(top, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  const account = accountFor(top);
  if (account) chownSync(top, account.uid, account.gid);
  const servers: Server[] = [];
  for (const name of ["coordinator", "worker-1", "worker-2"])
    servers.push(await createServer(join(top, name), programs, await claimPort(), cleanUp));
  const address = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  // PostgreSQL releases from 2026 on have an allow list of output plugins; earlier ones lack the setting.
  for (const { port } of servers)
    await administer(
      address(port, "postgres"),
      "alter system set output_plugin_libraries = pgoutput, citus",
      "select pg_reload_conf()",
    ).catch(() => undefined);
  const [coordinator, ...workers] = servers;
  if (!coordinator) throw new Error("no server was started");
  return {
    async createDatabase(name) {
      for (const { port } of servers) {
        await administer(address(port, "postgres"), `create database ${name}`);
        await administer(address(port, name), "create extension citus");
      }
      const url = address(coordinator.port, name);
      await administer(
        url,
        `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
        ...workers.map(({ port }) => `select citus_add_node('127.0.0.1', ${port})`),
      );
      return url;
    },
    workers: workers.map((worker) => ({ ...worker, name: `127.0.0.1:${worker.port}` })),
  };
}
