import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isRoot, unprivilegedAccount } from "@/db/embedded-account";
import { connectOnce, freePort } from "@/db/embedded-connection";
import { findInstalled } from "@/scripts/test/programs.mjs";
import { until } from "@/scripts/common/until";

const START_TIMEOUT_MS = 10_000;

type Options = {
  /** URL of the database behind it. */
  databaseUrl: string;
  /** Number of server connections shared by all clients. */
  poolSize?: number;
  /** Additional configuration lines. */
  settings?: readonly string[];
};

/**
 * Starts PgBouncer in transaction mode in front of a database, with few server connections; returns its URL and a
 * function to stop it.
 */
export async function startPgBouncer({ databaseUrl, poolSize = 3, settings = [] }: Options) {
  const program = await findInstalled("pgbouncer");
  const account = isRoot() ? unprivilegedAccount() : undefined;
  const folder = mkdtempSync(join(tmpdir(), "imprint-pgbouncer-"));
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const listenPort = await freePort();
  const file = (name: string, lines: readonly string[]) => {
    const path = join(folder, name);
    writeFileSync(path, `${lines.join("\n")}\n`);
    chmodSync(path, 0o644);
    return path;
  };
  const users = file("users.txt", [`"${username}" "${password}"`]);
  const config = file("pgbouncer.ini", [
    "[databases]",
    `* = host=${hostname} port=${port}`,
    "[pgbouncer]",
    `listen_addr = 127.0.0.1`,
    `listen_port = ${listenPort}`,
    `auth_type = plain`,
    `auth_file = ${users}`,
    "pool_mode = transaction",
    `default_pool_size = ${poolSize}`,
    "max_client_conn = 500",
    "unix_socket_dir =",
    "query_wait_timeout = 10",
    ...settings,
  ]);
  if (account) chownSync(folder, account.uid, account.gid);
  const child = spawn(program, ["-q", config], { ...account, cwd: "/", stdio: "ignore" });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      resolve();
    });
  });
  const url = `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`;
  const isReady = async () => {
    const sql = connectOnce(url);
    const isUp = await sql`select 1`.then(
      () => true,
      () => false,
    );
    await sql.end({ timeout: 1 });
    return isUp;
  };
  const isDead = () => child.exitCode !== null;
  await until(isReady, { what: "PgBouncer did not start", timeoutMs: START_TIMEOUT_MS, everyMs: 50, isDead });
  return {
    url,
    stop: async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
