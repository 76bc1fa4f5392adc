import { openFaultProxy } from "./fault-proxy";
import { readRequests, readStatements } from "./readers";

type World = {
  databaseUrl: string;
  /** Environment of a service that sells in a sandbox. */
  variables: { X402_FACILITATOR_URL: string; X402_RPC_URL: string };
};

/**
 * Puts fault proxies between a process and every service it uses for payments. `onAnswer` is called for each answered
 * message before the process receives the answer, so these messages are exactly the side effects of the process so far.
 */
export async function openFaultProxies<W extends World>(
  world: W,
  onAnswer: (message: string) => Promise<boolean> | boolean,
) {
  const { X402_FACILITATOR_URL, X402_RPC_URL } = world.variables;
  const [database, facilitator, node] = await Promise.all([
    openFaultProxy(world.databaseUrl, { createReader: readStatements, onAnswer }),
    openFaultProxy(X402_FACILITATOR_URL, { createReader: readRequests, onAnswer }),
    openFaultProxy(X402_RPC_URL, { createReader: readRequests, onAnswer }),
  ]);
  return {
    database,
    world: {
      ...world,
      databaseUrl: database.url,
      variables: { ...world.variables, X402_FACILITATOR_URL: facilitator.url, X402_RPC_URL: node.url },
    },
    close: async () => {
      await Promise.all([database, facilitator, node].map((faultProxy) => faultProxy.close()));
    },
  };
}
