import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { constants } from "node:os";
import { join } from "node:path";

import { answerPage } from "@/lib/interfaces/http/server/answer-page";
import { openSocket } from "@/lib/interfaces/http/server/socket";
import { listenOnUnixSocket } from "@/lib/interfaces/http/server/unix-socket";
import { onPrimaryLost, sendToPrimary } from "@/lib/operations/worker-pool";
import { baseUrl, configureNext, env, pagesFolder } from "@/lib/platform/env";
import { lowerPriorityOfThreads } from "@/lib/platform/lower-priority";
import { tracer } from "@/lib/platform/tracing";
import { signInMethods } from "@/lib/tenancy/sign-in";
import { openAssignment } from "./assignment";
import type { Lifecycle } from "./lifecycle";
import { observeWorker } from "./observe";
import { DRAIN_MS, isDevelopment } from "./settings";

const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "https:": 443 };

/**
 * Passes Next the configuration of the build, as the server of Next's "standalone" output does. Otherwise Next would
 * compile next.config.ts again, with a compiler of 100 MB, and read `.env` files, which none of our other processes
 * read.
 */
function giveBuiltConfiguration(): void {
  const file = readFileSync(join(pagesFolder(), "required-server-files.json"), "utf8");
  const { config } = JSON.parse(file) as { config: unknown };
  configureNext(JSON.stringify(config));
}

/** Loads Next and returns its request handler. */
export async function loadPages({ stopper }: Lifecycle) {
  // Next uses these in the URL of every request, and sign-in in its redirects.
  const { hostname, port, protocol } = new URL(baseUrl());
  const publicPort = port === "" ? DEFAULT_PORTS[protocol] : Number(port);
  if (!isDevelopment) giveBuiltConfiguration();
  // Imported here, because processes that answer requests never load Next.
  const { default: next } = await import("next");
  const app = next({
    dev: isDevelopment,
    dir: process.cwd(),
    hostname,
    // Next listens for upgrades on the given server, otherwise on the one of its first request, and never answers those
    // for unknown paths.
    ...(isDevelopment ? {} : { httpServer: createHttpServer() }),
    ...(publicPort ? { port: publicPort } : {}),
  });
  await app.prepare();
  stopper.onStop({ name: "pages", timeoutMs: 5_000, close: () => app.close() });
  const site = {
    isHttps: protocol === "https:",
    isDevelopment,
    hasIdentityProviders: signInMethods().length > 0,
    render: app.getRequestHandler(),
  };
  const answer = (req: IncomingMessage, res: ServerResponse) => answerPage(site, req, res);
  return { answer, upgrade: app.getUpgradeHandler() };
}

/** Continues the trace of the process that forwarded the request. */
function answerTraced(req: IncomingMessage, res: ServerResponse, work: () => Promise<void>): Promise<void> {
  const end = () => ({
    operation: "render page",
    status: res.statusCode,
    code: res.statusCode < 400 ? "ok" : "other",
    requestId: String(req.headers["x-request-id"]),
  });
  return tracer()?.request(req.headers, work, end) ?? work();
}

/** A process that runs out of memory, or is killed, cannot say it itself. */
const sayLost = () =>
  process.stderr.write(
    'Imprint ended: its main process was killed or ran out of memory. An embedded PostgreSQL keeps running, and the next start uses it. See "Memory" in docs/operations.md.\n',
  );

/**
 * Starts the process that renders pages. Rendering blocks the event loop for long periods, which nothing else should
 * have to wait for.
 */
export async function startPages(lifecycle: Lifecycle): Promise<void> {
  // In favour of the API. With the lowest priority, a page could take tens of seconds.
  lowerPriorityOfThreads(constants.priority.PRIORITY_BELOW_NORMAL);
  onPrimaryLost(() => {
    if (!lifecycle.stopper.isStopping()) sayLost();
  });
  // Operation handlers are not loaded here: they would double the startup time.
  await observeWorker(lifecycle, []);
  const { pagesSocket } = await openAssignment(lifecycle, Math.max(2, env.DATABASE_POOL_SIZE >> 1));
  const { answer } = await loadPages(lifecycle);
  lifecycle.throwIfStopping();
  const socket = openSocket((req, res) => void answerTraced(req, res, () => answer(req, res)));
  lifecycle.stopper.onStop({
    name: "pages in flight",
    timeoutMs: DRAIN_MS + 1_000,
    close: () => socket.drain(DRAIN_MS),
  });
  const listening = await listenOnUnixSocket(pagesSocket, socket.take);
  lifecycle.stopper.onStop({ name: "pages socket", timeoutMs: 1_000, close: listening.close });
  await sendToPrimary({ kind: "serving" });
}
