import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import postgres from "postgres";

import { type Account, isRoot, unprivilegedAccount } from "@/db/embedded-account";
import { systemPrograms } from "@/db/embedded-binaries";
import { env } from "@/lib/platform/env";
import type { CleanUp } from "../common/command";
import { startHaproxy } from "../common/haproxy";
import { claimPort } from "../common/processes";
import { findInstalled } from "../test/programs.mjs";
import { type ClusterSettings, createNode, type Node } from "./node";
import { until } from "../common/until";
import { query } from "../common/connection";

const NODES = 2;
const MAJORS = [18, 17, 16, 15];
const READY_MS = 180_000;
/** Time for rewinding the old primary and catching up, on a busy machine. */
const REJOIN_MS = 240_000;
const POLL_MS = 200;
/** Interval of the balancer's checks for the primary. */
const CHECK_MS = 500;
const [DATABASE, ROLE] = ["imprint", "imprint_service"];

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string };

function findPostgresql(): string {
  const found = env.PG_BIN_DIR ?? MAJORS.map(systemPrograms).find((folder) => folder !== undefined);
  if (found !== undefined && existsSync(join(found, "pg_rewind"))) return found;
  throw new Error(
    "A failover needs a PostgreSQL with pg_basebackup and pg_rewind: apt-get install -y postgresql-15, or set PG_BIN_DIR to the folder of its programs",
  );
}

const within = <T>(look: () => Promise<T | undefined>, what: string, timeoutMs = READY_MS): Promise<T> =>
  until(look, { what: `${what} did not happen within ${timeoutMs / 1000} s`, timeoutMs, everyMs: POLL_MS });

async function startEtcd(folder: string, account: Account | undefined, cleanUp: CleanUp): Promise<number> {
  const program = await findInstalled("etcd");
  const [clients, peers] = [await claimPort(), await claimPort()];
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
  const data = join(folder, "etcd");
  mkdirSync(data, { mode: 0o700 });
  if (account) chownSync(data, account.uid, account.gid);
  const options = {
    "--name": "one",
    "--data-dir": data,
    "--listen-client-urls": clientUrl,
    "--advertise-client-urls": clientUrl,
    "--listen-peer-urls": peerUrl,
    "--initial-advertise-peer-urls": peerUrl,
    "--initial-cluster": `one=${peerUrl}`,
    "--log-level": "error",
    "--enable-v2": "true",
  };
  const child = spawn(
    program,
    Object.entries(options).map(([name, value]) => `${name}=${value}`),
    {
      ...account,
      cwd: "/",
      stdio: "ignore",
      detached: true,
    },
  );
  cleanUp.push(async () => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.kill("SIGTERM");
    await ended;
  });
  const isUp = () =>
    fetch(`${clientUrl}/health`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    );
  await within(isUp, "a start of etcd");
  return clients;
}

/**
 * Routes connections to the primary or to a replica, according to Patroni; connections to a server that lost its role
 * are closed.
 */
const configuration = (ports: { primary: number; replica: number }, nodes: readonly Node[]) => `
global
  maxconn 1000
defaults
  mode tcp
  retries 0
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s
${Object.entries(ports)
  .map(
    ([role, port]) => `
listen ${role}
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /${role}
  http-check expect status 200
  default-server check inter ${CHECK_MS}ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, ports: own }) => `  server ${name} 127.0.0.1:${own.sql} check port ${own.rest}`).join("\n")}`,
  )
  .join("\n")}
`;

/** The members' own status; empty if no node responds. */
async function readMembers(nodes: readonly Node[]): Promise<Member[]> {
  for (const { ports } of nodes) {
    try {
      const response = await fetch(`http://127.0.0.1:${ports.rest}/cluster`, { signal: AbortSignal.timeout(1_000) });
      return ((await response.json()) as { members?: Member[] }).members ?? []; // safe: Patroni's REST API
    } catch {
      continue; // a node that is down
    }
  }
  return [];
}

const isRunning = ({ state }: Member) => state === "running" || state === "streaming";

/** Creates the service's role and database on the primary. */
async function createDatabase(port: number, superuser: string): Promise<string> {
  const password = randomBytes(16).toString("hex");
  const url = `postgres://postgres:${superuser}@127.0.0.1:${port}/postgres`;
  await query(url, `create role ${ROLE} login password '${password}'`);
  await query(url, `create database ${DATABASE} owner ${ROLE}`);
  return password;
}

async function prepareFolder(cleanUp: CleanUp): Promise<Pick<ClusterSettings, "folder" | "account">> {
  const folder = mkdtempSync(join(tmpdir(), "imprint-patroni-"));
  chmodSync(folder, 0o711);
  cleanUp.push(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  const account = isRoot() ? unprivilegedAccount() : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  return Promise.resolve({ folder, account });
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

/**
 * Opens a primary and a synchronous replica under Patroni, behind HAProxy: its URLs lead to the current primary and to
 * a replica.
 */
export async function openCluster(cleanUp: CleanUp) {
  const programs = { patroni: await findInstalled("patroni"), postgresql: findPostgresql() };
  const place = await prepareFolder(cleanUp);
  const passwords = { superuser: randomBytes(16).toString("hex"), replication: randomBytes(16).toString("hex") };
  const etcdPort = await startEtcd(place.folder, place.account, cleanUp);
  const shared: ClusterSettings = { ...place, programs, etcdPort, passwords };
  const nodes: Node[] = [];
  for (let number = 1; number <= NODES; number += 1)
    nodes.push(createNode(`node${number}`, { sql: await claimPort(), rest: await claimPort() }, shared));
  for (const node of nodes) {
    cleanUp.push(() => node.stop());
    node.start();
  }
  const nodeOf = (member: Member | undefined) => nodes.find(({ name }) => name === member?.name);
  const findLeader = async (): Promise<Node | undefined> =>
    nodeOf((await readMembers(nodes)).find((member) => member.role === "leader" && isRunning(member)));
  const findSynchronous = async (): Promise<Node | undefined> =>
    nodeOf((await readMembers(nodes)).find((member) => member.role === "sync_standby" && isRunning(member)));
  const tail = () => nodes.map(({ log }) => readFileSync(log, "utf8").split("\n").slice(-6).join("\n")).join("\n");
  try {
    const first = await within(findLeader, "the election of a first primary");
    const password = await createDatabase(first.ports.sql, passwords.superuser);
    await within(findSynchronous, "synchronous replication");
    const ports = { primary: await claimPort(), replica: await claimPort() };
    const urlAt = (port: number) => `postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`;
    const isReady = async () => {
      const sql = postgres(urlAt(ports.primary), { max: 1, fetch_types: false, connect_timeout: 2 });
      return await sql`select 1`.then(
        () => sql.end({ timeout: 1 }).then(() => true),
        () => sql.end({ timeout: 1 }).then(() => false),
      );
    };
    await startHaproxy({ configuration: configuration(ports, nodes), isReady }, cleanUp);
    return {
      nodes,
      url: urlAt(ports.primary),
      readUrl: urlAt(ports.replica),
      findLeader,
      untilSynchronous: () => within(findSynchronous, "synchronous replication", REJOIN_MS),
      /** Waits until a different node is the primary. */
      untilReplaced: (old: Node) =>
        within(async () => {
          const leader = await findLeader();
          return leader === old ? undefined : leader;
        }, `another primary than ${old.name}`),
      tail,
    };
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${tail()}`, { cause: error });
  }
}
