import { setTimeout as delay } from "node:timers/promises";

import postgres from "postgres";

/** Every process that uses an embedded server holds this advisory lock in shared mode until it exits. */
const USERS_LOCK = 727275;
const LEAVE_TIMEOUT_MS = 3_000;
const REJOIN_MS = 200;

export type Membership = {
  /** Resolves to true if no other process uses the server, so that the caller may stop it. */
  leave: () => Promise<boolean>;
};

/**
 * Registers this process as a user of the server at `url`. The lock is released with the connection, even if the
 * process is killed. If the server crashes, `restart` is called and the process registers again.
 */
export async function join(url: string, restart: () => Promise<void>): Promise<Membership> {
  let isLeaving = false;
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 3,
    onnotice: () => undefined,
    connection: { application_name: "imprint-user" },
    onclose: () => {
      if (!isLeaving) void rejoin();
    },
  });
  const take = () => sql`select pg_advisory_lock_shared(${USERS_LOCK})`;
  async function rejoin(): Promise<void> {
    for (;;) {
      await delay(REJOIN_MS, undefined, { ref: false });
      if (isLeaving) return;
      try {
        await restart();
        await take();
        return;
      } catch {
        continue; // the server is still unavailable
      }
    }
  }
  await take();
  return {
    async leave() {
      isLeaving = true;
      try {
        return await Promise.race([releaseAndAsk(sql), delay(LEAVE_TIMEOUT_MS, false, { ref: false })]);
      } catch {
        return false; // the server is unavailable: there is nothing to stop
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
