import type { Socket } from "node:net";

import type { Capacity } from "@/lib/interfaces/http/server/capacity";
import type { PoolWorker } from "./worker";

/** Maximum queued connections while no worker is serving: Node's own default backlog. */
const MAX_QUEUED = 511;

/**
 * Dispatches connections to the workers round robin. While none is serving, connections are queued, up to a limit.
 *
 * @param hasRoom whether this process may have another connection open besides those that wait for a worker
 */
export function createDispatcher(workers: Set<PoolWorker>, hasRoom: Capacity["hasRoom"]) {
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

  function dispatch(connection: Socket): void {
    if (give(connection)) return;
    if (isClosed || queued.length >= MAX_QUEUED) connection.destroy();
    else queued.push(connection);
  }

  const waiting = () => [...workers].reduce((sum, worker) => sum + worker.waiting(), queued.length);

  function take(connection: Socket): void {
    if (hasRoom(waiting())) dispatch(connection);
    else connection.destroy();
  }

  return {
    take,
    /** Dispatches the queued connections. */
    resume() {
      queued.splice(0).forEach(dispatch);
    },
    /** Dispatches the connections that the worker leaves behind when it exits. */
    follow(worker: PoolWorker): void {
      void worker.left.then((connections) => {
        connections.forEach(dispatch);
      });
    },
    /** Closes the queued connections and queues no more. */
    close() {
      isClosed = true;
      for (const connection of queued.splice(0)) connection.destroy();
    },
  };
}
