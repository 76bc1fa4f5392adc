import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import type { Account } from "@/db/embedded-account";
import { processTree } from "../common/proc";

/** Settings shared by all nodes of a cluster. */
export type ClusterSettings = {
  folder: string;
  account: Account | undefined;
  /** Patroni's program, and the folder of PostgreSQL's programs. */
  programs: { patroni: string; postgresql: string };
  etcdPort: number;
  passwords: Record<"superuser" | "replication", string>;
};

export type Node = ReturnType<typeof createNode>;

/** Seconds until a silent leader loses its lock: the minimum that Patroni allows. */
export const LEADER_TTL_SECONDS = 20;
const STOP_MS = 20_000;

function signalAll(ids: readonly number[], signal: NodeJS.Signals): void {
  for (const id of ids) {
    try {
      process.kill(id, signal);
    } catch {
      continue; // it has exited
    }
  }
}

const settingsOf = (name: string, ports: { sql: number; rest: number }, shared: ClusterSettings) => ({
  scope: "imprint",
  name,
  restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${ports.rest}` },
  // With etcd's v3 protocol Patroni 3.0 uses a cache, which can miss that the synchronous replica has changed.
  etcd: { host: `127.0.0.1:${shared.etcdPort}` },
  bootstrap: {
    dcs: {
      ttl: LEADER_TTL_SECONDS,
      loop_wait: 2,
      retry_timeout: 5,
      // The standby takes over immediately when the primary's server dies, instead of waiting for its recovery.
      master_start_timeout: 0,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: { max_connections: 100, shared_buffers: "128MB", wal_log_hints: "on", max_wal_size: "512MB" },
      },
    },
    initdb: [{ encoding: "UTF8" }, { locale: "C" }, "data-checksums"],
  },
  postgresql: {
    listen: `127.0.0.1:${ports.sql}`,
    connect_address: `127.0.0.1:${ports.sql}`,
    data_dir: join(shared.folder, name, "data"),
    bin_dir: shared.programs.postgresql,
    pgpass: join(shared.folder, name, "pgpass"),
    authentication: {
      superuser: { username: "postgres", password: shared.passwords.superuser },
      replication: { username: "replicator", password: shared.passwords.replication },
      rewind: { username: "postgres", password: shared.passwords.superuser },
    },
    // Base backups begin with a checkpoint, which would otherwise be spread over minutes.
    basebackup: [{ checkpoint: "fast" }],
    parameters: { unix_socket_directories: join(shared.folder, name) },
    pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
  },
  tags: { nofailover: false },
});

/** A machine of the cluster: Patroni and the server it runs. */
export function createNode(name: string, ports: { sql: number; rest: number }, shared: ClusterSettings) {
  const folder = join(shared.folder, name);
  const [settings, log] = [join(folder, "patroni.yml"), join(folder, "patroni.log")];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // JSON is YAML.
  writeFileSync(settings, JSON.stringify(settingsOf(name, ports, shared), null, 2), { mode: 0o600 });
  for (const path of [folder, settings]) if (shared.account) chownSync(path, shared.account.uid, shared.account.gid);
  let patroni: ChildProcess | undefined;

  const server = (): number[] => {
    try {
      const [id] = readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n");
      return processTree(Number(id));
    } catch {
      return []; // it is not running
    }
  };
  const everything = () => [...processTree(patroni?.pid ?? 0), ...server()];
  const hasEnded = () => patroni === undefined || patroni.exitCode !== null || patroni.signalCode !== null;

  return {
    name,
    ports,
    log,
    start() {
      if (!hasEnded()) return;
      const output = openSync(log, "a");
      const stdio = ["ignore", output, output] as const;
      patroni = spawn(shared.programs.patroni, [settings], {
        ...shared.account,
        cwd: "/",
        detached: true,
        stdio: [...stdio],
      });
      closeSync(output);
    },
    /** Simulates a power cut: nothing on the machine runs any more. */
    async cutPower() {
      const ended = patroni && !hasEnded() ? once(patroni, "exit") : undefined;
      signalAll(everything(), "SIGKILL");
      await ended;
    },
    /** Kills only the server. */
    killServer() {
      signalAll(server(), "SIGKILL");
      return Promise.resolve();
    },
    /** Simulates a machine with a hanging disk: connections stay open without answers. */
    freeze() {
      signalAll(everything(), "SIGSTOP");
      return Promise.resolve();
    },
    thaw() {
      signalAll(everything(), "SIGCONT");
    },
    async stop() {
      signalAll(everything(), "SIGCONT");
      signalAll(patroni?.pid === undefined ? [] : [patroni.pid], "SIGTERM");
      const endsAt = performance.now() + STOP_MS;
      while (!hasEnded() && performance.now() < endsAt) await delay(100);
      signalAll(everything(), "SIGKILL");
    },
  };
}
