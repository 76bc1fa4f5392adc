import type { PageBudget } from "./page-budget";

export type GateLimits = {
  /** Requests that are answered at once, of all clients and of one. */
  maxActive: number;
  maxActivePerClient: number;
  /** Requests that wait for their turn, of all clients and of one. */
  maxWaiting: number;
  maxWaitingPerClient: number;
};

/** Whose limit of waiting requests was reached. */
export type FullFor = "client" | "everybody";

type Enter = (leave: () => void) => void;
/** A client's requests; what it prefetches waits for what its person asked for. */
type Client = { active: number; waiting: Enter[]; prefetching: Enter[] };

const waitingOf = ({ waiting, prefetching }: Client) => waiting.length + prefetching.length;

/** A closed budget is asked again at least this often: operations may have ended. */
const MAX_PAUSE_MS = 50;

/**
 * Lets in so many requests at once, and as the budget allows; others wait, and clients take turns, so that one that asks
 * for a lot waits for itself.
 */
export function createPageGate(limits: GateLimits, budget?: Pick<PageBudget, "waitMs" | "begin">) {
  /** Those with requests; a client that was let in goes to the end. */
  const clients = new Map<string, Client>();
  let active = 0;
  let waiting = 0;
  let pause: NodeJS.Timeout | undefined;

  function admit(key: string, client: Client): () => void {
    active += 1;
    client.active += 1;
    clients.delete(key);
    clients.set(key, client);
    const endOfPage = budget?.begin();
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      endOfPage?.();
      active -= 1;
      client.active -= 1;
      if (client.active === 0 && waitingOf(client) === 0) clients.delete(key);
      admitWaiting();
    };
  }

  const isFree = (client: Client) => active < limits.maxActive && client.active < limits.maxActivePerClient;

  function nextClient(): [key: string, client: Client] | undefined {
    for (const entry of clients) if (waitingOf(entry[1]) > 0 && isFree(entry[1])) return entry;
    return undefined;
  }

  function admitWaiting(): void {
    for (let next = nextClient(); next; next = nextClient()) {
      const waitMs = budget?.waitMs() ?? 0;
      if (waitMs > 0) {
        pause ??= setTimeout(
          () => {
            pause = undefined;
            admitWaiting();
          },
          Math.min(waitMs, MAX_PAUSE_MS),
        );
        return;
      }
      const [key, client] = next;
      waiting -= 1;
      const enter = client.waiting.shift() ?? client.prefetching.shift();
      enter?.(admit(key, client));
    }
  }

  return {
    /** Resolves with what has to be called at the end, in turn; at once with whose limit is reached when too many wait. */
    async enter(key: string, { isPrefetch = false } = {}): Promise<(() => void) | FullFor> {
      const client = clients.get(key) ?? { active: 0, waiting: [], prefetching: [] };
      if (waitingOf(client) >= limits.maxWaitingPerClient) return "client";
      if (waiting >= limits.maxWaiting) return "everybody";
      clients.set(key, client);
      waiting += 1;
      return new Promise((resolve) => {
        (isPrefetch ? client.prefetching : client.waiting).push(resolve);
        admitWaiting();
      });
    },
  };
}
