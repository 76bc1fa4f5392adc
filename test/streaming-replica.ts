import { spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type postgres from "postgres";

import { accountFor, prepareFolder } from "@/db/embedded";
import { findBinaries, reachableFor } from "@/db/embedded-binaries";
import { type ConnectionFile, DATABASE, freePort, ROLE, serviceUrlOf, urlOf } from "@/db/embedded-connection";
import { postmasterOn, waitForEnd } from "@/db/embedded-processes";
import { newPassword, prepareDatabase } from "@/db/embedded-role";
import { type Cluster, dataFolderOf, halt, initialise, launch } from "@/db/embedded-server";
import { until } from "@/scripts/common/until";
import { onConnection } from "@/scripts/common/connection";

const ATTACH_TIMEOUT_MS = 30_000;

type CleanUp = (() => unknown)[];

const withAdministrator = <T>(connection: ConnectionFile, work: (sql: postgres.Sql) => Promise<T>): Promise<T> =>
  onConnection(urlOf(connection, DATABASE), work);

/** Copies the stopped cluster as its standby. */
function copyAsStandby(cluster: Cluster, primary: ConnectionFile, folder: string): Cluster {
  const standby = { ...cluster, folder };
  const copied = spawnSync("cp", ["-a", dataFolderOf(cluster), dataFolderOf(standby)], { encoding: "utf8" });
  if (copied.status !== 0) throw new Error(`the primary could not be copied: ${copied.stderr}`);
  const signal = join(dataFolderOf(standby), "standby.signal");
  writeFileSync(signal, "");
  if (cluster.account) chownSync(signal, cluster.account.uid, cluster.account.gid);
  appendFileSync(
    join(dataFolderOf(standby), "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${ROLE} password=${primary.password} application_name=standby'\n`,
  );
  return standby;
}

/** Waits until the standby is streaming. */
async function untilAttached(primary: ConnectionFile, state: "sync" | "async"): Promise<void> {
  await withAdministrator(primary, async (sql) => {
    const isAttached = async () =>
      (await sql`select 1 from pg_stat_replication where sync_state = ${state} and state = 'streaming'`).length > 0;
    const what = "the standby does not follow the primary";
    await until(isAttached, { what, timeoutMs: ATTACH_TIMEOUT_MS, everyMs: 50 });
  });
}

/** Prepares a folder for servers, and functions to create them there. */
async function preparePlace(cleanUp: CleanUp) {
  const top = mkdtempSync(join(tmpdir(), "imprint-replicated-"));
  cleanUp.push(() => {
    rmSync(top, { recursive: true, force: true });
  });
  const account = accountFor(top);
  if (account) chownSync(top, account.uid, account.gid);
  const found = await findBinaries(undefined);
  const programs = (account ? reachableFor(found, account) : found).folder;
  return (name: string): Cluster => ({
    folder: prepareFolder(join(top, name), account),
    programs,
    account,
    disposable: false,
  });
}

/** One of the two servers: its URL for the service, superuser statements, and functions to stop and start it. */
function serverOf(cluster: Cluster, connection: Awaited<ReturnType<typeof prepareDatabase>>) {
  const postmaster = (): number => {
    const id = postmasterOn(dataFolderOf(cluster));
    if (id === undefined) throw new Error("the server is not running");
    return id;
  };
  return {
    url: serviceUrlOf(connection, DATABASE),
    asAdministrator: (statement: string) => withAdministrator(connection, (sql) => sql.unsafe(statement)),
    promote: () => withAdministrator(connection, (sql) => sql`select pg_promote(true)`),
    start: () => launch(cluster, connection),
    async kill() {
      const id = postmaster();
      process.kill(id, "SIGKILL");
      await waitForEnd(id, ATTACH_TIMEOUT_MS);
    },
  };
}
export type Server = ReturnType<typeof serverOf>;

/** Opens a primary and its streaming replica, with an empty database for the service. */
export async function openStreamingPair(
  cleanUp: CleanUp,
  { isSynchronous = false } = {},
): Promise<{ primary: Server; standby: Server }> {
  const clusterIn = await preparePlace(cleanUp);
  const cluster = clusterIn("primary");
  const initial: ConnectionFile = { port: await freePort(), password: newPassword(), folder: cluster.folder };
  await initialise(cluster, initial.password);
  await launch(cluster, initial);
  const connection = await prepareDatabase(initial);
  await halt(cluster);
  const standby = copyAsStandby(cluster, connection, clusterIn("standby").folder);
  for (const each of [cluster, standby]) cleanUp.push(() => halt(each));
  const second = { ...connection, port: await freePort(), folder: standby.folder };
  await launch(cluster, connection);
  await launch(standby, second);
  if (isSynchronous)
    await withAdministrator(connection, async (sql) => {
      await sql`alter system set synchronous_standby_names = 'standby'`;
      await sql`select pg_reload_conf()`;
    });
  await untilAttached(connection, isSynchronous ? "sync" : "async");
  return { primary: serverOf(cluster, connection), standby: serverOf(standby, second) };
}
