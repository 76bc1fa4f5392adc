export type GateLimits = {
  /** Requests that are answered at once, of all clients and of one. */
  maxActive: number;
  maxActivePerClient: number;
  /** Requests that wait for their turn, of all clients and of one. */
  maxWaiting: number;
  maxWaitingPerClient: number;
};

type Client = { active: number; waiting: ((release: () => void) => void)[] };

/**
 * Lets in so many requests at once; others wait, and clients take turns, so that one that asks for a lot waits for
 * itself.
 */
export function createPageGate(limits: GateLimits) {
  /** Those with requests; a client that was let in goes to the end. */
  const clients = new Map<string, Client>();
  let active = 0;
  let waiting = 0;

  function admit(key: string, client: Client): () => void {
    active += 1;
    client.active += 1;
    clients.delete(key);
    clients.set(key, client);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      active -= 1;
      client.active -= 1;
      if (client.active === 0 && client.waiting.length === 0) clients.delete(key);
      admitNext();
    };
  }

  const isFree = (client: Client) => active < limits.maxActive && client.active < limits.maxActivePerClient;

  function admitNext(): void {
    for (const [key, client] of clients) {
      const [next] = client.waiting;
      if (!next || !isFree(client)) continue;
      client.waiting.shift();
      waiting -= 1;
      next(admit(key, client));
      return;
    }
  }

  return {
    /** Resolves with what has to be called at the end, in turn; with nothing at once when too many wait. */
    async enter(key: string): Promise<(() => void) | undefined> {
      const client = clients.get(key) ?? { active: 0, waiting: [] };
      if (isFree(client)) return admit(key, client);
      if (waiting >= limits.maxWaiting || client.waiting.length >= limits.maxWaitingPerClient) return undefined;
      clients.set(key, client);
      waiting += 1;
      return new Promise((resolve) => client.waiting.push(resolve));
    },
  };
}
