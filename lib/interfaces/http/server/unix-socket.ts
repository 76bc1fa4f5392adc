import { existsSync, mkdirSync, renameSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { dirname } from "node:path";

import { log } from "@/lib/platform/log";

const CHECK_INTERVAL_MS = 10_000;

/** Listens at the path, replacing any previous listener atomically: a client always reaches one of the two. */
async function listenAt(path: string, take: (connection: Socket) => void): Promise<Server> {
  // Only this user may enter the directory.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const server = createServer(take);
  const own = `${path}.${process.pid}`;
  await new Promise<void>((resolve, reject) => {
    // Without `exclusive`, the cluster's primary would own the listening socket and keep accepting connections for a worker
    // that is gone.
    server.once("error", reject).listen({ path: own, exclusive: true }, resolve);
  });
  renameSync(own, path);
  return server;
}

/**
 * Listens on a Unix socket, and recreates it if its file disappears: programs that clean the temporary directory remove
 * files unused for days.
 */
export async function listenOnUnixSocket(
  path: string,
  take: (connection: Socket) => void,
  checkIntervalMs = CHECK_INTERVAL_MS,
): Promise<{ close: () => void }> {
  let server = await listenAt(path, take);
  let isClosed = false;
  async function listenAgain(): Promise<void> {
    server.close();
    server = await listenAt(path, take);
    if (isClosed) server.close();
    log.warn({ path }, "a socket was removed and has been recreated");
  }
  const timer = setInterval(() => {
    if (existsSync(path)) return;
    listenAgain().catch((error: unknown) => {
      log.error({ err: error }, "a socket was removed and cannot be recreated");
    });
  }, checkIntervalMs).unref();
  return {
    close() {
      isClosed = true;
      clearInterval(timer);
      server.close();
    },
  };
}
