import cluster from "node:cluster";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { MOUNTED } from "@/app/api/mounted";
import { API_TABLE } from "@/app/api/table";
import { type Connection, isDatabaseUnavailable, isLateDriverWrite } from "@/db/client";
import { isMigrated, migrateDatabase } from "@/db/migrate";
import { ensurePartitions, missingPartitions } from "@/db/partitions";
import { loadSecrets } from "@/db/secrets";
import { openAgentKeys, watchAgentKeys } from "@/lib/visits/agents";
import { now } from "@/lib/platform/clock";
import { readOpenApi } from "@/lib/interfaces/discovery";
import { baseUrl, env } from "@/lib/platform/env";
import { openComponentFiles } from "@/lib/interfaces/http/server/component-files";
import { openDocument } from "@/lib/interfaces/http/server/documents";
import { listen } from "@/lib/interfaces/http/server/listen";
import { createListener, type Site } from "@/lib/interfaces/http/server/listener";
import { createReadiness } from "@/lib/interfaces/http/server/readiness";
import { openSocket } from "@/lib/interfaces/http/server/socket";
import { createStopper } from "@/lib/interfaces/http/server/stopper";
import { createForwardingNote, verifySecrets } from "@/lib/operations/instance";
import { log } from "@/lib/platform/log";
import {
  clientAddress,
  compileAddressTrust,
  isFromThisMachine,
  stripForwardingHeaders,
} from "@/lib/platform/addresses";
import { openNetworkData, prepareNetworkData, watchNetworkData } from "@/lib/visits/network";
import { publishProbeServer } from "@/lib/visits/probe";
import { publishSecrets } from "@/lib/platform/secrets";
import {
  askForAssignment,
  createWorkerPool,
  createStopSignals,
  isWorker,
  onConnection,
  openConnections,
  openDatabaseServer,
  openProbe,
  type PrimaryCommand,
  startBackground,
  sendToPrimary,
} from "@/lib/operations/worker-pool";
import { ensureSetupLink, initializeInstance, signInMethods } from "@/lib/tenancy/sign-in";
import { version } from "@/package.json";

const MIGRATIONS = "db/migrations";
const DRAIN_MS = 25_000;
const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "https:": 443 };
const INTERRUPTED = 130;
const RETRY_MS = 500;
/** For background work: one job at a time, looks at payments, sightings of the probe. */
const MAIN_POOL_SIZE = 4;
/** Everything that is answered ahead of the pages. */
const HANDLERS = [...API_TABLE, ...MOUNTED];

/** Made with the build, so that no start has to. */
const ASN_TABLE = join(import.meta.dirname, "asn.bin");

const say = (line: string) => process.stdout.write(`${line}\n`);
const stopper = createStopper();
const dataDir = resolve(env.DATA_DIR);
const isDevelopment = process.argv.includes("--dev");
/** Set when a newer build of this server takes over: it finds the database running. */
let hasSuccessor = false;
/** Set when another worker has taken over: this one answers its clients until they have turned to that. */
let isRetiring = false;
/** What SIGUSR2 does. Without a listener from the beginning it would end a process that is still starting. */
let onReplace = () => {
  if (!isWorker()) say("Still starting: nothing to replace yet");
};

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
    hasIdentityProviders: signInMethods().length > 0,
    identify(req) {
      const client = clientAddress(req, trust);
      if (client.untrustedForwarding) noteForwarding(performance.now());
      const headers = stripForwardingHeaders(req.headers, client);
      return { address: client.address, isLocal: isFromThisMachine(req, trust), headers };
    },
    table: HANDLERS,
    componentFiles: openComponentFiles(join(import.meta.dirname, isDevelopment ? ".." : "", "component/v1")),
    documents: { "/openapi.json": openDocument("application/json", () => readOpenApi({ db })) },
    pages,
    readiness: createReadiness(version, {
      database: async () => (await pool`select 1`).length === 1,
      migrations: () => isMigrated(pool, MIGRATIONS),
      partitions: async () => (await missingPartitions(db, now())).length === 0,
      running: () => Promise.resolve(isRetiring || !stopper.isStopping()),
    }),
  };
}

async function openPages() {
  // Next writes these into the address of every request, and sign-in into its redirects.
  const { hostname, port, protocol } = new URL(baseUrl());
  const publicPort = port === "" ? DEFAULT_PORTS[protocol] : Number(port);
  // Loaded here: the main process of several has no pages.
  const { default: next } = await import("next");
  const app = next({
    dev: isDevelopment,
    dir: process.cwd(),
    hostname,
    // Next listens for upgrades on the server that it is given, else on the one of its first request, and never
    // answers those of an unknown path.
    ...(isDevelopment ? {} : { httpServer: createServer() }),
    ...(publicPort ? { port: publicPort } : {}),
  });
  await app.prepare();
  stopper.onStop({ name: "pages", timeoutMs: 5_000, close: () => app.close() });
  return { pages: app.getRequestHandler(), upgrade: app.getUpgradeHandler() };
}

/** Accepts connections until the service stops; opened after what takes them, and so closed before it. */
async function acceptConnections(take: (connection: Socket) => void, options?: { isPaused: boolean }): Promise<void> {
  const listening = await listen({ port: env.PORT, host: env.HOST, ...options }, take);
  stopper.onStop({ name: "listening", timeoutMs: 1_000, close: listening.close });
}

/** Opens what answers requests; resolves with what is to be given the connections. */
async function serve(database: Pick<Connection, "db" | "pool">): Promise<(connection: Socket) => void> {
  await openNetworkData(dataDir, { asnTable: ASN_TABLE });
  watchNetworkData();
  await openAgentKeys();
  watchAgentKeys();
  untilStopped();
  const { pages, upgrade } = await openPages();
  untilStopped();
  const socket = openSocket(createListener(openSite(database, pages)));
  if (isDevelopment) {
    socket.server.on("upgrade", (req, duplex, head) => {
      void upgrade(req, duplex, head);
    });
  }
  stopper.onStop({
    name: "requests in flight",
    timeoutMs: DRAIN_MS + 1_000,
    close: () => socket.drain(DRAIN_MS, { isGentle: isRetiring }),
  });
  return socket.take;
}

function untilStopped(): void {
  if (stopper.isStopping()) throw new Error("stopped while starting");
}

/** What only one process of a machine does: the database server, its schema and partitions. */
async function openInstallation(poolSize: number) {
  openSecrets();
  const databaseUrl = await openDatabaseServer({ dataDir, stopper, hasSuccessor: () => hasSuccessor });
  await migrateDatabase(databaseUrl, MIGRATIONS);
  const { db, pool } = openConnections(databaseUrl, poolSize, stopper);
  await ensurePartitions(db, now(), now());
  await verifySecrets(db);
  const made = await initializeInstance(db, env);
  if (made) say(`Set up    workspace ${made.workspaceId} for ${made.email}, as INIT_* has it`);
  // Before the pages: opening them keeps a busy machine's process from hearing an answer in time.
  const setupLink = await ensureSetupLink(db);
  const probeUrls = await openProbe(db, stopper);
  return { db, pool, databaseUrl, setupLink, probeUrls };
}

/** One write: whoever waits for the address has the link too. */
function announce(setupLink: string | undefined, more: readonly string[] = []): void {
  const link = setupLink === undefined ? [] : [`Set-up    ${setupLink}   (works once)`];
  say([`Imprint   ${baseUrl()}`, ...link, ...more].join("\n"));
}

/** One process that does everything. */
async function startAlone(): Promise<void> {
  const { db, pool, setupLink } = await openInstallation(env.DATABASE_POOL_SIZE);
  await acceptConnections(await serve({ db, pool }));
  startBackground(db, stopper);
  announce(setupLink);
  onReplace = () => {
    say("One process cannot be replaced without a gap: set WORKERS=2 or more. It goes on as it is.");
  };
}

/** The main process of several: it does what is done once, and keeps the workers that answer. */
async function startMain(): Promise<void> {
  const { db, databaseUrl, setupLink, probeUrls } = await openInstallation(MAIN_POOL_SIZE);
  prepareNetworkData(dataDir, { asnTable: ASN_TABLE });
  untilStopped();
  cluster.setupPrimary({ exec: import.meta.filename, args: [] });
  const pool = createWorkerPool({
    size: env.WORKERS,
    assignment: { databaseUrl, probeUrls },
    onUnrecoverable(error) {
      say(`Imprint stops, since a lost worker could not be replaced: ${error.message}`);
      finish(1);
    },
  });
  stopper.onStop({ name: "workers", timeoutMs: DRAIN_MS + 45_000, close: pool.stop });
  await pool.start();
  // Not accepted by the workers themselves: one that ends could leave a connection that nobody answers.
  await acceptConnections(pool.take, { isPaused: true });
  startBackground(db, stopper);
  announce(setupLink, [`Workers   ${env.WORKERS}; kill -USR2 ${process.pid} replaces them one after another`]);
  let isReplacing = false;
  onReplace = () => {
    if (isReplacing || stopper.isStopping()) return;
    isReplacing = true;
    say("Replacing the workers one after another");
    void pool.replaceAll().then((reason) => {
      isReplacing = false;
      say(reason === undefined ? "All workers are replaced" : `The old workers go on, a new one could not: ${reason}`);
    });
  };
}

/** The database as the main process has prepared it. A worker that replaces a lost one may find it away, and waits. */
async function untilPrepared({ db, pool }: Pick<Connection, "db" | "pool">): Promise<void> {
  for (;;) {
    untilStopped();
    try {
      if (!(await isMigrated(pool, MIGRATIONS)))
        throw new Error("the database lacks a migration of this build: restart the service as a whole");
      await verifySecrets(db);
      return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}

/** One of several processes that answer requests. */
async function startWorker(): Promise<void> {
  openSecrets();
  const { databaseUrl, probeUrls } = await askForAssignment();
  const database = openConnections(databaseUrl, env.DATABASE_POOL_SIZE, stopper);
  await untilPrepared(database);
  if (probeUrls.length > 0) publishProbeServer({ urls: probeUrls });
  onConnection(await serve(database));
  await sendToPrimary({ kind: "serving" });
}

function start(): Promise<void> {
  if (isWorker()) return startWorker();
  return env.WORKERS > 1 && !isDevelopment ? startMain() : startAlone();
}

function finish(code: number): void {
  void stopper.stop(starting).then(() => process.exit(code));
}

const onSignal = createStopSignals({
  stop() {
    if (!stopper.isStopping()) say("Stopping: requests in flight are answered first");
    finish(0);
  },
  giveUp: () => process.exit(INTERRUPTED),
});
/** A signal to the whole process group is for the main process, which stops a worker once it gives it nothing more. */
const leaveToMain = () => undefined;

function onFatal(error: unknown): void {
  if (isLateDriverWrite(error)) {
    log.warn({ err: error }, "a connection to the database was gone");
    return;
  }
  log.fatal({ err: error }, "unexpected failure");
  finish(1);
}

process.on("SIGTERM", isWorker() ? leaveToMain : onSignal);
process.on("SIGINT", isWorker() ? leaveToMain : onSignal);
process.on("uncaughtException", onFatal);
process.on("unhandledRejection", onFatal);
/** Commands of the main process, or of the runner in development. */
function onCommand(command: PrimaryCommand | { kind: "make way" }): void {
  if (command.kind === "begin" || command.kind === "connection") return;
  hasSuccessor = command.kind === "make way";
  isRetiring = command.kind === "retire";
  finish(0);
}

process.on("message", onCommand);
process.on("SIGUSR2", () => {
  onReplace();
});

const starting = start();
starting.catch(async (error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  if (isWorker()) await sendToPrimary({ kind: "failed", reason });
  else if (!stopper.isStopping()) say(`Imprint could not start: ${reason}`);
  log.debug({ err: error }, "start failed");
  finish(1);
});
