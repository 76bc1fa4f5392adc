import type { Socket } from "node:net";
import { join } from "node:path";

import { isMigrated } from "@/db/migrate";
import { missingPartitions } from "@/db/partitions";
import { createWriteCheck } from "@/db/writable";
import { readOpenApi } from "@/lib/interfaces/discovery";
import { openComponentFiles } from "@/lib/interfaces/http/server/component-files";
import { MARKDOWN_PAGES } from "@/app/(site)/docs/markdown";
import { openDocument } from "@/lib/interfaces/http/server/documents";
import { type Capacity, createCapacity } from "@/lib/interfaces/http/server/capacity";
import { CONNECTION_LIMITS } from "@/lib/interfaces/http/server/connections";
import { listen } from "@/lib/interfaces/http/server/listen";
import { createListener, type Site } from "@/lib/interfaces/http/server/listener";
import { isOwnRequest } from "@/lib/interfaces/http/server/own-request";
import { createPageBudget } from "@/lib/interfaces/http/server/page-budget";
import { openPageGateway } from "@/lib/interfaces/http/server/page-gateway";
import { createReadiness } from "@/lib/interfaces/http/server/readiness";
import { openSocket } from "@/lib/interfaces/http/server/socket";
import { endOpenStreams } from "@/lib/interfaces/http/stopping";
import { openStaticFiles } from "@/lib/interfaces/http/server/static-files";
import { createNoteRecorder } from "@/lib/operations/instance";
import {
  clientAddress,
  compileAddressTrust,
  isFromThisMachine,
  stripForwardingHeaders,
} from "@/lib/platform/addresses";
import { now } from "@/lib/platform/clock";
import { baseUrl, env, pagesFolder } from "@/lib/platform/env";
import { hasFewCores } from "@/lib/platform/lower-priority";
import { readOpenFiles } from "@/lib/platform/open-files";
import { openAgentKeys, watchAgentKeys } from "@/lib/visits/agents";
import { openNetworkData, watchNetworkData } from "@/lib/visits/network";
import { version } from "@/package.json";
import { HANDLERS } from "./handlers";
import type { Database } from "./installation";
import type { Lifecycle } from "./lifecycle";
import { ASN_TABLE, dataDir, DRAIN_MS, isDevelopment, MIGRATIONS } from "./settings";

/** Share of time for pages on machines with few cores, which also serve operations and the database. */
const PAGE_SHARE = 0.3;

/** This process's budget for rendering pages while operations are answered; undefined on machines with more cores. */
const openPageBudget = () =>
  hasFewCores()
    ? createPageBudget({
        share: PAGE_SHARE / env.WORKERS,
        burstMs: 200,
        maxPageMs: 250,
        maxRendered: 2,
      })
    : undefined;

function openSite(
  { isReady }: Lifecycle,
  database: Database,
  { pages, noteOperation }: Required<Pick<Site, "pages" | "noteOperation">>,
): Site {
  const { db, pool } = database;
  const recordForwarding = createNoteRecorder(db, "untrusted-forwarding");
  const trust = compileAddressTrust({
    trustedProxies: env.TRUSTED_PROXIES,
    ...(env.CLIENT_IP_HEADER === undefined ? {} : { clientIpHeader: env.CLIENT_IP_HEADER }),
  });
  return {
    baseUrl: baseUrl(),
    identify(req) {
      const client = clientAddress(req, trust);
      if (client.untrustedForwarding && !isOwnRequest(req.headers)) recordForwarding(performance.now());
      const headers = stripForwardingHeaders(req.headers, client);
      return { address: client.address, isLocal: isFromThisMachine(req, trust), headers };
    },
    table: HANDLERS,
    componentFiles: openComponentFiles(join(import.meta.dirname, isDevelopment ? ".." : "", "component/v1")),
    documents: { "/openapi.json": openDocument("application/json", () => readOpenApi({ db })) },
    markdown: Object.fromEntries(
      Object.entries(MARKDOWN_PAGES).map(([path, read]) => [path, openDocument("text/markdown; charset=utf-8", read)]),
    ),
    pages,
    noteOperation,
    staticFiles: openStaticFiles(join(pagesFolder(), "static")),
    readiness: createReadiness(version, {
      database: async () => (await pool`select 1`).length === 1,
      writes: createWriteCheck(database),
      migrations: () => isMigrated(pool, MIGRATIONS),
      partitions: async () => (await missingPartitions(db, now())).length === 0,
      running: () => Promise.resolve(isReady()),
    }),
  };
}

/** In development, pages are rendered in this process, and Next handles the upgrade connections of hot reload. */
async function openDevelopment(lifecycle: Lifecycle) {
  const { loadPages } = await import("./pages");
  const { answer, upgrade } = await loadPages(lifecycle);
  return { pages: answer, upgrade };
}

/** Room for connections in this process. That they were closed for lack of it is noted for `doctor`. */
export function openCapacity(db: Database["db"]): Capacity {
  const noteClosed = createNoteRecorder(db, "connections-closed");
  return createCapacity(readOpenFiles(), () => {
    noteClosed(performance.now());
  });
}

/** Opens everything needed to answer requests; resolves with the function that takes connections. */
export async function serve(
  lifecycle: Lifecycle,
  database: Database,
  pagesSocket: string,
): Promise<(connection: Socket) => void> {
  await openNetworkData(dataDir, { asnTable: ASN_TABLE });
  watchNetworkData();
  await openAgentKeys();
  watchAgentKeys();
  lifecycle.throwIfStopping();
  const development = isDevelopment ? await openDevelopment(lifecycle) : undefined;
  lifecycle.throwIfStopping();
  const budget = openPageBudget();
  const pages = development?.pages ?? openPageGateway(pagesSocket, { ...(budget && { budget }) });
  const noteOperation = () => budget?.noteOperation();
  const listener = createListener(openSite(lifecycle, database, { pages, noteOperation }));
  const socket = openSocket(listener, CONNECTION_LIMITS, openCapacity(database.db));
  if (development) {
    socket.server.on("upgrade", (req, duplex, head) => {
      void development.upgrade(req, duplex, head);
    });
  }
  lifecycle.stopper.onStop({
    name: "requests in flight",
    timeoutMs: DRAIN_MS + 1_000,
    close() {
      endOpenStreams();
      return socket.drain(DRAIN_MS, { isGentle: lifecycle.isDrainGentle() });
    },
  });
  return socket.take;
}

/**
 * Accepts connections until the service stops. Opened after what takes the connections, and therefore closed before it.
 */
export async function acceptConnections(
  { stopper }: Lifecycle,
  take: (connection: Socket) => void,
  options?: { isPaused: boolean },
): Promise<void> {
  const listening = await listen({ port: env.PORT, host: env.HOST, ...options }, take);
  stopper.onStop({ name: "listening", timeoutMs: 1_000, close: listening.close });
}
