import { rmSync } from "node:fs";
import { join } from "node:path";

import { makeSocketFolder } from "@/lib/interfaces/http/server/socket-folder";
import { type Assignment, createWorkerPool, type WorkerPool } from "@/lib/operations/worker-pool";
import { log } from "@/lib/platform/log";
import type { Lifecycle } from "./lifecycle";
import { DRAIN_MS, PROGRAMS } from "./settings";

/** Delay before the next attempt after three failed starts. Operations are answered in the meantime. */
const RETRY_MS = 5_000;

export type PagesProcess = Pick<WorkerPool, "start" | "replaceAll" | "readFigures"> & {
  /** Path of the socket on which it listens. */
  socket: string;
};

/**
 * Creates the process that renders pages. Create it before whatever sends it requests, so that it is stopped
 * afterwards.
 */
export function createPagesProcess({ stopper }: Lifecycle, assignment: Omit<Assignment, "pagesSocket">): PagesProcess {
  const folder = makeSocketFolder();
  const socket = join(folder, "socket");
  const pool = createWorkerPool({
    program: { role: "pages", file: PROGRAMS.pages },
    size: 1,
    assignment: { ...assignment, pagesSocket: socket },
    onUnrecoverable(error) {
      log.error({ err: error }, "the pages process does not start; trying again");
      setTimeout(() => {
        if (!stopper.isStopping()) pool.restart();
      }, RETRY_MS).unref();
    },
  });
  stopper.onStop({
    name: "pages process",
    timeoutMs: DRAIN_MS + 45_000,
    async close() {
      await pool.stop({ isGentle: false });
      rmSync(folder, { recursive: true, force: true });
    },
  });
  return { socket, start: pool.start, replaceAll: pool.replaceAll, readFigures: pool.readFigures };
}
