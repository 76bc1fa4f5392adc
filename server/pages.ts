import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";

import { answerPage } from "@/lib/interfaces/http/server/answer-page";
import { openSocket } from "@/lib/interfaces/http/server/socket";
import { listenOnUnixSocket } from "@/lib/interfaces/http/server/unix-socket";
import { sendToPrimary } from "@/lib/operations/worker-pool";
import { baseUrl, configureNext, env, pagesFolder } from "@/lib/platform/env";
import { tracer } from "@/lib/platform/tracing";
import { signInMethods } from "@/lib/tenancy/sign-in";
import { openAssignment } from "./assignment";
import type { Lifecycle } from "./lifecycle";
import { observeWorker } from "./observe";
import { DRAIN_MS, isDevelopment } from "./settings";

const DEFAULT_PORTS: Record<string, number> = { "http:": 80, "https:": 443 };

/**
 * As the server of Next's own "standalone" output does, Next gets the configuration of the build: else it would compile
 * next.config.ts again, with a compiler of 100 MB, and read files named `.env`, which no other process of ours reads.
 */
function giveBuiltConfiguration(): void {
  const file = readFileSync(join(pagesFolder(), "required-server-files.json"), "utf8");
  const { config } = JSON.parse(file) as { config: unknown };
  configureNext(JSON.stringify(config));
}

/** Next, and what answers a request by it. */
export async function loadPages({ stopper }: Lifecycle) {
  // Next writes these into the address of every request, and sign-in into its redirects.
  const { hostname, port, protocol } = new URL(baseUrl());
  const publicPort = port === "" ? DEFAULT_PORTS[protocol] : Number(port);
  if (!isDevelopment) giveBuiltConfiguration();
  // Loaded here: processes that answer requests have no pages.
  const { default: next } = await import("next");
  const app = next({
    dev: isDevelopment,
    dir: process.cwd(),
    hostname,
    // Next listens for upgrades on the server that it is given, else on the one of its first request, and never
    // answers those of an unknown path.
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

/** Continues the trace of the process that asks for a page. */
function answerTraced(req: IncomingMessage, res: ServerResponse, work: () => Promise<void>): Promise<void> {
  const end = () => ({
    operation: "render page",
    status: res.statusCode,
    code: res.statusCode < 400 ? "ok" : "other",
    requestId: String(req.headers["x-request-id"]),
  });
  return tracer()?.request(req.headers, work, end) ?? work();
}

/**
 * The process that renders the pages for those that answer requests: rendering takes long turns of the event loop, and
 * nothing else has to wait for them.
 */
export async function startPages(lifecycle: Lifecycle): Promise<void> {
  // What answers operations is not loaded here: it would be half of a start.
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
  lifecycle.stopper.onStop({ name: "socket of the pages", timeoutMs: 1_000, close: listening.close });
  await sendToPrimary({ kind: "serving" });
}
