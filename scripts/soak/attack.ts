import { fork } from "node:child_process";
import { once } from "node:events";

import { ROOT } from "../build/layout.mjs";
import type { CleanUp } from "../common/command";

type Counts = { pages: number; slowConnections: number };
type Attack = {
  /** Connections that ask for pages, one request after another, and the addresses that they come from. */
  connections: number;
  clients: number;
  /** Connections of each kind of slow client. */
  slow: number;
};

/** Starts the attack on the service in a process of its own; the result ends it and tells what it did. */
export function startAttack(
  url: string,
  { connections, clients, slow }: Attack,
  cleanUp: CleanUp,
): { stop: () => Promise<Counts> } {
  const child = fork("scripts/run.mjs", ["soak/attack", url, ...[connections, clients, slow].map(String)], {
    cwd: ROOT,
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
