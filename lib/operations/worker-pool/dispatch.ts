import type { Socket } from "node:net";

import type { PoolWorker } from "./worker";

/** Maximum queued connections while no worker is serving: Node's own default backlog. */
const MAX_QUEUED = 511;

/** Dispatches connections to the workers round robin. While none is serving, connections are queued, up to a limit. */
export function createDispatcher(workers: Set<PoolWorker>) {
  const queued: Socket[] = [];
  let isClosed = false;

  function give(connection: Socket): boolean {
    const all = [...workers];
    const chosen =
      all.find((worker) => worker.isResponsive() && worker.take(connection)) ??
      all.find((worker) => worker.take(connection));
    if (!chosen) return false;
    // Move to the end of the rotation.
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
    /** Dispatches the queued connections. */
    resume() {
      for (const connection of queued.splice(0)) take(connection);
    },
    /** Closes the queued connections and queues no more. */
    close() {
      isClosed = true;
      for (const connection of queued.splice(0)) connection.destroy();
    },
  };
}
