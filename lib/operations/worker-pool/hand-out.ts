import type { Socket } from "node:net";

import type { PoolWorker } from "./worker";

/** Connections that may wait while no worker serves: as many as Node's servers have waiting by default. */
const MAX_WAITING = 511;

/** Hands connections out to the workers in turn. Those that come while none serves wait, and are refused when many do. */
export function createHandOut(workers: Set<PoolWorker>) {
  const waiting: Socket[] = [];
  let isClosed = false;

  function give(connection: Socket): boolean {
    const chosen = [...workers].find((worker) => worker.take(connection));
    if (!chosen) return false;
    // Last in turn from now on.
    workers.delete(chosen);
    workers.add(chosen);
    return true;
  }

  function take(connection: Socket): void {
    if (give(connection)) return;
    if (isClosed || waiting.length >= MAX_WAITING) connection.destroy();
    else waiting.push(connection);
  }

  return {
    take,
    /** Hands out what has waited. */
    resume() {
      for (const connection of waiting.splice(0)) take(connection);
    },
    /** Ends what waits, and lets nothing wait from now on. */
    close() {
      isClosed = true;
      for (const connection of waiting.splice(0)) connection.destroy();
    },
  };
}
