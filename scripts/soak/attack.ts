import { fork } from "node:child_process";
import { once } from "node:events";

import { ROOT } from "../build/layout.mjs";
import type { CleanUp } from "../common/command";

type Counts = { pages: number; slowConnections: number };
type Attack = {
  /** Number of connections that request pages continuously, and of client IPs they use. */
  connections: number;
  clients: number;
  /** Connections per kind of slow client. */
  slow: number;
};

/** Starts the attack on the service in a separate process; the returned function ends it and returns its counts. */
export function startAttack(
  url: string,
  { connections, clients, slow }: Attack,
  cleanUp: CleanUp,
): { stop: () => Promise<Counts> } {
  const child = fork("scripts/run.mjs", ["soak/attack", url, ...[connections, clients, slow].map(String)], {
    cwd: ROOT,
    detached: true, // in a session of its own, which has a priority of its own
  });
  cleanUp.push(() => {
    child.kill();
  });
  return {
    async stop() {
      const told = once(child, "message");
      child.send("stop");
      const [counts] = (await told) as [Counts]; // safe: `attack/main.ts` sent it
      return counts;
    },
  };
}
