import type { Socket } from "node:net";

import type { PoolWorker } from "./worker";

/** Connections that are queued while no worker serves: Node's own default backlog. */
const MAX_QUEUED = 511;

/** Dispatches connections to the workers round robin. While none serves they are queued, and refused beyond the limit. */
export function createDispatcher(workers: Set<PoolWorker>) {
  const queued: Socket[] = [];
  let isClosed = false;

  function give(connection: Socket): boolean {
    const all = [...workers];
    const chosen =
      all.find((worker) => worker.isResponsive() && worker.take(connection)) ??
      all.find((worker) => worker.take(connection));
    if (!chosen) return false;
    // To the end of the round.
    workers.delete(chosen);
    workers.add(chosen);
    return true;
  }

  function take(connection: Socket): void {
    if (give(connection)) return;
    if (isClosed || queued.length >= MAX_QUEUED) connection.destroy();
    else queued.push(connection);
  }

  return {
    take,
    /** Dispatches what was queued. */
    resume() {
      for (const connection of queued.splice(0)) take(connection);
    },
    /** Ends what is queued, and queues nothing from now on. */
    close() {
      isClosed = true;
      for (const connection of queued.splice(0)) connection.destroy();
    },
  };
}
