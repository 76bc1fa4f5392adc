import type { Socket } from "node:net";

import type { Member } from "./worker";

/** Connections that may wait while no worker serves: as many as Node's servers have waiting by default. */
const MOST_WAITING = 511;

/** Hands connections out to the workers in turn. Those that come while none serves wait, and are refused when many do. */
export function createHandOut(members: Set<Member>) {
  const waiting: Socket[] = [];
  let isClosed = false;

  function give(connection: Socket): boolean {
    const chosen = [...members].find((member) => member.take(connection));
    if (!chosen) return false;
    // Last in turn from now on.
    members.delete(chosen);
    members.add(chosen);
    return true;
  }

  function take(connection: Socket): void {
    if (give(connection)) return;
    if (isClosed || waiting.length >= MOST_WAITING) connection.destroy();
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
