import type { Sql } from "postgres";

import { TRANSACTION_DEADLINE_MS } from "./deadlines";

/** Time limits for statements in flight: when everything is closed, and when a client is replaced. */
const CLOSE_SECONDS = 5;
const RETIRE_SECONDS = TRANSACTION_DEADLINE_MS / 1000 + 3;

export type Renewable = {
  /** Always delegates to the newest client. */
  client: Sql;
  /** Replaces the client: statements in flight finish on the old one, which then closes. */
  renew: () => void;
  /** Closes the current client and all replaced ones. */
  close: () => Promise<void>;
};

/**
 * A client that can be replaced while it is in use. The driver's own `close`, which should close connections that are
 * then reopened, loses those that were not open: postgres 3.4.9 never uses them again.
 */
export function createRenewable(open: () => Sql): Renewable {
  let current = open();
  const closing = new Set<Promise<void>>();
  function retire(client: Sql, seconds: number): void {
    const ended = client.end({ timeout: seconds }).finally(() => closing.delete(ended));
    closing.add(ended);
  }
  return {
    client: new Proxy(current, {
      apply: (_target, self, parameters) => Reflect.apply(current, self, parameters) as unknown,
      get: (_target, property) => Reflect.get(current, property) as unknown,
    }),
    renew() {
      const old = current;
      try {
        current = open();
      } catch {
        // A file named in the URL, such as the root certificate, is missing: keep the old client, which already read
        // it.
        return;
      }
      retire(old, RETIRE_SECONDS);
    },
    async close() {
      retire(current, CLOSE_SECONDS);
      await Promise.all(closing);
    },
  };
}
