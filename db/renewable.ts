import type { Sql } from "postgres";

/** How long statements in flight may take when their client is closed. */
const CLOSE_SECONDS = 5;

export type Renewable = {
  /** Works through the newest client. */
  client: Sql;
  /** Replaces the client: statements in flight end on the old one, which then closes. */
  renew: () => void;
  /** Closes all. */
  close: () => Promise<void>;
};

/**
 * A client that can be replaced while it is used. The driver's own `close`, which is to close connections that are then
 * opened anew, loses those that were not open: postgres 3.4.9 never uses them again.
 */
export function createRenewable(open: () => Sql): Renewable {
  let current = open();
  const closing = new Set<Promise<void>>();
  function retire(client: Sql): void {
    const ended = client.end({ timeout: CLOSE_SECONDS }).finally(() => closing.delete(ended));
    closing.add(ended);
  }
  return {
    client: new Proxy(current, {
      apply: (_target, self, parameters) => Reflect.apply(current, self, parameters) as unknown,
      get: (_target, property) => Reflect.get(current, property) as unknown,
    }),
    renew() {
      const old = current;
      current = open();
      retire(old);
    },
    async close() {
      retire(current);
      await Promise.all(closing);
    },
  };
}
