import { createServer } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";

import { MOUNTED } from "@/app/api/mounted";
import { API_TABLE } from "@/app/api/table";
import { isMigrated } from "@/db/migrate";
import { missingPartitions } from "@/db/partitions";
import { readOpenApi } from "@/lib/interfaces/discovery";
import { openComponentFiles } from "@/lib/interfaces/http/server/component-files";
import { openDocument } from "@/lib/interfaces/http/server/documents";
import { listen } from "@/lib/interfaces/http/server/listen";
import { createListener, type Site } from "@/lib/interfaces/http/server/listener";
import { createReadiness } from "@/lib/interfaces/http/server/readiness";
import { openSocket } from "@/lib/interfaces/http/server/socket";
import { createForwardingNote } from "@/lib/operations/instance";
import {
  clientAddress,
  compileAddressTrust,
  isFromThisMachine,
  stripForwardingHeaders,
} from "@/lib/platform/addresses";
import { now } from "@/lib/platform/clock";
import { baseUrl, env } from "@/lib/platform/env";
import { signInMethods } from "@/lib/tenancy/sign-in";
import { openAgentKeys, watchAgentKeys } from "@/lib/visits/agents";
import { openNetworkData, watchNetworkData } from "@/lib/visits/network";
import { version } from "@/package.json";
import type { Database } from "./installation";
import type { Lifecycle } from "./lifecycle";
import { ASN_TABLE, dataDir, DRAIN_MS, isDevelopment, MIGRATIONS } from "./settings";

const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "https:": 443 };

/** Everything that is answered ahead of the pages. */
const HANDLERS = [...API_TABLE, ...MOUNTED];

function openSite({ isReady }: Lifecycle, { db, pool }: Database, pages: Site["pages"]): Site {
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
      running: () => Promise.resolve(isReady()),
    }),
  };
}

async function openPages({ stopper }: Lifecycle) {
  // Next writes these into the address of every request, and sign-in into its redirects.
  const { hostname, port, protocol } = new URL(baseUrl());
  const publicPort = port === "" ? DEFAULT_PORTS[protocol] : Number(port);
  // Loaded here: the primary has no pages.
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

/** Opens what answers requests; resolves with what is to be given the connections. */
export async function serve(lifecycle: Lifecycle, database: Database): Promise<(connection: Socket) => void> {
  await openNetworkData(dataDir, { asnTable: ASN_TABLE });
  watchNetworkData();
  await openAgentKeys();
  watchAgentKeys();
  lifecycle.throwIfStopping();
  const { pages, upgrade } = await openPages(lifecycle);
  lifecycle.throwIfStopping();
  const socket = openSocket(createListener(openSite(lifecycle, database, pages)));
  if (isDevelopment) {
    socket.server.on("upgrade", (req, duplex, head) => {
      void upgrade(req, duplex, head);
    });
  }
  lifecycle.stopper.onStop({
    name: "requests in flight",
    timeoutMs: DRAIN_MS + 1_000,
    close: () => socket.drain(DRAIN_MS, { isGentle: lifecycle.isDrainGentle() }),
  });
  return socket.take;
}

/** Accepts connections until the service stops; opened after what takes them, and so closed before it. */
export async function acceptConnections(
  { stopper }: Lifecycle,
  take: (connection: Socket) => void,
  options?: { isPaused: boolean },
): Promise<void> {
  const listening = await listen({ port: env.PORT, host: env.HOST, ...options }, take);
  stopper.onStop({ name: "listening", timeoutMs: 1_000, close: listening.close });
}
