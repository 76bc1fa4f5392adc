import { join, resolve } from "node:path";

import next from "next";

import { MOUNTED } from "@/app/api/mounted";
import { API_TABLE } from "@/app/api/table";
import { type Connection, connect, isLateDriverWrite, publishPool } from "@/db/client";
import { openEmbedded } from "@/db/embedded";
import { isMigrated, migrateDatabase } from "@/db/migrate";
import { ensurePartitions, missingPartitions } from "@/db/partitions";
import { loadSecrets } from "@/db/secrets";
import { claimDataDir } from "@/db/service-lock.mjs";
import { flushKeyUses } from "@/lib/api-keys";
import { now } from "@/lib/clock";
import { baseUrl, env } from "@/lib/env";
import { openComponentFiles } from "@/lib/http/server/component-files";
import { createListener, type Site } from "@/lib/http/server/listener";
import { createReadiness } from "@/lib/http/server/readiness";
import { openSocket } from "@/lib/http/server/socket";
import { createStopper } from "@/lib/http/server/stopper";
import { createForwardingNote, verifySecrets } from "@/lib/instance";
import { JOBS, startWorkers } from "@/lib/jobs";
import { closeRedis } from "@/lib/limits";
import { log } from "@/lib/log";
import {
  canonicalAddress,
  clientAddress,
  compileAddressTrust,
  openNetworkData,
  stripForwardingHeaders,
  watchNetworkData,
} from "@/lib/network";
import { startProbe } from "@/lib/probe";
import { publishSecrets } from "@/lib/secrets";
import { ensureSetupLink } from "@/lib/sign-in";
import { startReconciler } from "@/lib/trials";
import { flushCalls } from "@/lib/usage";
import { version } from "@/package.json";

const MIGRATIONS = "db/migrations";
const DRAIN_MS = 25_000;
const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "https:": 443 };
const INTERRUPTED = 130;
/** Everything that is answered ahead of the pages. */
const HANDLERS = [...API_TABLE, ...MOUNTED];

const say = (line: string) => process.stdout.write(`${line}\n`);
const stopper = createStopper();
const dataDir = resolve(env.DATA_DIR);
const isDevelopment = process.argv.includes("--dev");
/** Set when a newer build of this server takes over: it finds the database running. */
let hasSuccessor = false;

/** The address of the database: the given server, or the embedded one. */
async function openDatabaseServer(): Promise<string> {
  if (env.DATABASE_URL !== undefined) return env.DATABASE_URL;
  const claim = claimDataDir(dataDir);
  stopper.onStop({
    name: "data directory",
    timeoutMs: 1_000,
    close: () => {
      claim.release();
      return Promise.resolve();
    },
  });
  const server = await openEmbedded({
    dataDir,
    binDir: env.PG_BIN_DIR,
    onRevived: () => {
      log.warn("the embedded PostgreSQL had died and was started again");
    },
  });
  stopper.onStop({
    name: "embedded PostgreSQL",
    timeoutMs: 30_000,
    close: () => server.close({ forSuccessor: hasSuccessor }),
  });
  claim.update({ address: baseUrl() });
  say(`Database  ${server.isAdopted ? "running" : "started"}, files in ${server.folder}`);
  return server.url;
}

async function openDatabase() {
  const url = await openDatabaseServer();
  await migrateDatabase(url, MIGRATIONS);
  const { db, pool, close } = connect({
    url,
    poolSize: env.DATABASE_POOL_SIZE,
    prepare: env.DATABASE_PREPARE,
    applicationName: "imprint",
  });
  stopper.onStop({ name: "database connections", timeoutMs: 6_000, close });
  publishPool(pool, env.DATABASE_PREPARE);
  stopper.onStop({ name: "rate limits", timeoutMs: 1_000, close: closeRedis });
  stopper.onStop({ name: "counted calls", timeoutMs: 6_000, close: flushCalls });
  stopper.onStop({ name: "uses of keys", timeoutMs: 6_000, close: flushKeyUses });
  await ensurePartitions(db, now(), now());
  await verifySecrets(db);
  return { db, pool };
}

function openSecrets(): void {
  const { AUTH_SECRET, KEY_PEPPER, KEKS } = env;
  const secrets = loadSecrets(dataDir, { AUTH_SECRET, KEY_PEPPER, KEKS });
  publishSecrets({
    authSecret: secrets.AUTH_SECRET,
    keyPepper: secrets.KEY_PEPPER,
    keks: secrets.KEKS,
    oauthJwks: env.OAUTH_JWKS,
    oauthCookieKeys: env.OAUTH_COOKIE_KEYS,
  });
}

function openSite({ db, pool }: Pick<Connection, "db" | "pool">, pages: Site["pages"]): Site {
  const noteForwarding = createForwardingNote(db);
  const trust = compileAddressTrust({
    trustedProxies: env.TRUSTED_PROXIES,
    ...(env.CLIENT_IP_HEADER === undefined ? {} : { clientIpHeader: env.CLIENT_IP_HEADER }),
  });
  return {
    baseUrl: baseUrl(),
    isDevelopment,
    identify(req) {
      const client = clientAddress(req, trust);
      if (client.untrustedForwarding) noteForwarding(performance.now());
      return { address: client.address, headers: stripForwardingHeaders(req.headers, client) };
    },
    table: HANDLERS,
    componentFiles: openComponentFiles(join(import.meta.dirname, isDevelopment ? ".." : "", "component/v1")),
    pages,
    readiness: createReadiness(version, {
      database: async () => (await pool`select 1`).length === 1,
      migrations: () => isMigrated(pool, MIGRATIONS),
      partitions: async () => (await missingPartitions(db, now())).length === 0,
      running: () => Promise.resolve(!stopper.isStopping()),
    }),
  };
}

async function openProbe(db: Connection["db"]): Promise<void> {
  const { PROBE_UDP_PORT: port, PROBE_PUBLIC_HOST: publicHost } = env;
  if (port === undefined || publicHost === undefined) return;
  const probe = await startProbe({ db, port, publicHost, addressOf: canonicalAddress });
  stopper.onStop({ name: "address probe", timeoutMs: 1_000, close: probe.close });
  say(`Probe     ${probe.urls.join(" ")}`);
}

async function openPages() {
  // Next writes these into the address of every request, and sign-in into its redirects.
  const { hostname, port, protocol } = new URL(baseUrl());
  const publicPort = port === "" ? DEFAULT_PORTS[protocol] : Number(port);
  const app = next({ dev: isDevelopment, dir: process.cwd(), hostname, ...(publicPort ? { port: publicPort } : {}) });
  await app.prepare();
  stopper.onStop({ name: "pages", timeoutMs: 5_000, close: () => app.close() });
  return { pages: app.getRequestHandler(), upgrade: app.getUpgradeHandler() };
}

async function start(): Promise<void> {
  const untilStopped = () => {
    if (stopper.isStopping()) throw new Error("stopped while starting");
  };
  openSecrets();
  const database = await openDatabase();
  // Before the pages: opening them keeps a busy machine's process from hearing an answer in time.
  const setupLink = await ensureSetupLink(database.db);
  await openNetworkData(dataDir);
  watchNetworkData();
  untilStopped();
  const { pages, upgrade } = await openPages();
  untilStopped();
  const socket = openSocket(createListener(openSite(database, pages)));
  if (isDevelopment) {
    socket.server.on("upgrade", (req, duplex, head) => {
      void upgrade(req, duplex, head);
    });
  }
  await openProbe(database.db);
  await socket.listen(env.PORT, env.HOST);
  stopper.onStop({ name: "requests in flight", timeoutMs: DRAIN_MS + 1_000, close: () => socket.drain(DRAIN_MS) });
  const reconciler = startReconciler(database.db);
  stopper.onStop({ name: "looks at payments", timeoutMs: 6_000, close: reconciler.stop });
  const workers = startWorkers(database.db, JOBS);
  stopper.onStop({ name: "background jobs", timeoutMs: 6_000, close: workers.stop });
  const lines = [
    `Imprint   ${baseUrl()}`,
    ...(setupLink === undefined ? [] : [`Set-up    ${setupLink}   (works once)`]),
  ];
  // One write: whoever waits for the address has the link too.
  say(lines.join("\n"));
}

function finish(code: number): void {
  void stopper.stop(starting).then(() => process.exit(code));
}

function onSignal(): void {
  if (stopper.isStopping()) process.exit(INTERRUPTED);
  say("Stopping: requests in flight are answered first");
  finish(0);
}

function onFatal(error: unknown): void {
  if (isLateDriverWrite(error)) {
    log.warn({ err: error }, "a connection to the database was gone");
    return;
  }
  log.fatal({ err: error }, "unexpected failure");
  finish(1);
}

process.on("SIGTERM", onSignal);
process.on("SIGINT", onSignal);
process.on("uncaughtException", onFatal);
process.on("unhandledRejection", onFatal);
process.on("message", (message) => {
  if (message !== "make way") return;
  hasSuccessor = true;
  finish(0);
});

const starting = start();
starting.catch((error: unknown) => {
  if (!stopper.isStopping()) say(`Imprint could not start: ${error instanceof Error ? error.message : String(error)}`);
  log.debug({ err: error }, "start failed");
  finish(1);
});
