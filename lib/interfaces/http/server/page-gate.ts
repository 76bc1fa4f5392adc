import type { PageBudget } from "./page-budget";

export type GateLimits = {
  /** Requests answered concurrently, in total and per client. */
  maxActive: number;
  maxActivePerClient: number;
  /** Requests that may wait, in total and per client. */
  maxWaiting: number;
  maxWaitingPerClient: number;
};

/** Whose queue is full: the client's own, or the shared one. */
export type FullFor = "client" | "everybody";

type Enter = (leave: () => void) => void;
/** One client's requests. Prefetches wait behind the others. */
type Client = { active: number; waiting: Enter[]; prefetching: Enter[] };

const waitingOf = ({ waiting, prefetching }: Client) => waiting.length + prefetching.length;

/** Maximum pause before the budget is checked again: operations may have stopped. */
const MAX_PAUSE_MS = 50;

/**
 * Admits requests within the limits and the budget. The others wait, and clients take turns, so that a client that
 * sends many requests delays only itself.
 */
export function createPageGate(limits: GateLimits, budget?: Pick<PageBudget, "waitMs" | "begin">) {
  /** Clients with active or waiting requests; an admitted client moves to the end. */
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
    /**
     * Resolves, when the request is admitted, with the function to call at its end; or at once with whose queue is
     * full.
     */
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
