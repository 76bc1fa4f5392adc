import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Assignment, createWorkerPool, type WorkerPool } from "@/lib/operations/worker-pool";
import { log } from "@/lib/platform/log";
import type { Lifecycle } from "./lifecycle";
import { DRAIN_MS, PROGRAMS } from "./settings";

/** How long after three failed starts the next one is tried. Operations are answered meanwhile. */
const RETRY_MS = 5_000;

export type PagesProcess = Pick<WorkerPool, "start" | "replaceAll" | "readFigures"> & {
  /** Where it listens. */
  socket: string;
};

/** The process that renders the pages. To be made before what asks it, and so stopped after that. */
export function createPagesProcess({ stopper }: Lifecycle, assignment: Omit<Assignment, "pagesSocket">): PagesProcess {
  // Only this user may enter it.
  const folder = mkdtempSync(join(tmpdir(), "imprint-pages-"));
  const socket = join(folder, "socket");
  const pool = createWorkerPool({
    program: { role: "pages", file: PROGRAMS.pages },
    size: 1,
    assignment: { ...assignment, pagesSocket: socket },
    onUnrecoverable(error) {
      log.error({ err: error }, "the process of the pages does not start; trying again");
      setTimeout(() => {
        if (!stopper.isStopping()) pool.restart();
      }, RETRY_MS).unref();
    },
  });
  stopper.onStop({
    name: "process of the pages",
    timeoutMs: DRAIN_MS + 45_000,
    async close() {
      await pool.stop({ isGentle: false });
      rmSync(folder, { recursive: true, force: true });
    },
  });
  return { socket, start: pool.start, replaceAll: pool.replaceAll, readFigures: pool.readFigures };
}
