import { setTimeout as delay } from "node:timers/promises";

import postgres from "postgres";

import { unlessAborted } from "./unless-aborted";

/** Every process that uses an embedded server holds this advisory lock in shared mode until it exits. */
const USERS_LOCK = 727275;
const LEAVE_TIMEOUT_MS = 3_000;
const REJOIN_MS = 200;

export type Membership = {
  /** Ends an attempt to restart the server, and makes no further one. */
  stopRestarting: () => Promise<void>;
  /** Resolves to whether no other process uses the server; undefined if the server does not say. */
  leave: () => Promise<boolean | undefined>;
};

/**
 * Registers this process as a user of the server at `url`. The lock is released with the connection, even if the
 * process is killed. If the server crashes, `restart` is called and the process registers again.
 */
export async function join(url: string, restart: (signal: AbortSignal) => Promise<void>): Promise<Membership> {
  const leaving = new AbortController();
  let rejoining: Promise<void> | undefined;
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 3,
    onnotice: () => undefined,
    connection: { application_name: "imprint-user" },
    onclose: () => {
      // Also called for each attempt to connect again that fails.
      rejoining ??= rejoin().finally(() => (rejoining = undefined));
    },
  });
  const take = () => sql`select pg_advisory_lock_shared(${USERS_LOCK})`;
  async function rejoin(): Promise<void> {
    while (!leaving.signal.aborted) {
      try {
        await delay(REJOIN_MS, undefined, { ref: false, signal: leaving.signal });
        await restart(leaving.signal);
        await unlessAborted(leaving.signal, take());
        return;
      } catch {
        continue; // the server is still unavailable
      }
    }
  }
  await take();
  return {
    async stopRestarting() {
      leaving.abort();
      await rejoining;
    },
    async leave() {
      leaving.abort();
      try {
        return await Promise.race([releaseAndAsk(sql), delay(LEAVE_TIMEOUT_MS, undefined, { ref: false })]);
      } catch {
        return undefined;
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
  };
}

async function releaseAndAsk(sql: postgres.Sql): Promise<boolean> {
  await sql`select pg_advisory_unlock_shared(${USERS_LOCK})`;
  const [row] = await sql<{ isLast: boolean }[]>`select pg_try_advisory_lock(${USERS_LOCK}) as "isLast"`;
  return row?.isLast ?? false;
}
