import { openGate } from "./fault-proxy";
import { readRequests, readStatements } from "./readers";

type World = {
  databaseUrl: string;
  /** The environment of a service that sells in a sandbox. */
  variables: { X402_FACILITATOR_URL: string; X402_RPC_URL: string };
};

/**
 * Puts gates between a process and everything that it talks to about money. `onAnswer` hears of each answered message,
 * before the process does: what the process has done to the world so far is exactly those messages.
 */
export async function openGates<W extends World>(world: W, onAnswer: (message: string) => Promise<boolean> | boolean) {
  const { X402_FACILITATOR_URL, X402_RPC_URL } = world.variables;
  const [database, facilitator, node] = await Promise.all([
    openGate(world.databaseUrl, { createReader: readStatements, onAnswer }),
    openGate(X402_FACILITATOR_URL, { createReader: readRequests, onAnswer }),
    openGate(X402_RPC_URL, { createReader: readRequests, onAnswer }),
  ]);
  return {
    database,
    world: {
      ...world,
      databaseUrl: database.url,
      variables: { ...world.variables, X402_FACILITATOR_URL: facilitator.url, X402_RPC_URL: node.url },
    },
    close: async () => {
      await Promise.all([database, facilitator, node].map((gate) => gate.close()));
    },
  };
}
