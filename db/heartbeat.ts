import type { Sql } from "postgres";

/** Row of `instance_notes` whose timestamp advances as long as a service with a replica runs. */
const NAME = "replica-heartbeat";
/** Number of beats remembered; a replica may show any of them. */
const REMEMBERED = 256;

type Read = { value: string; age_ms: number };

export type Heartbeats = {
  /** Advances the timestamp, unless another process has just done so, and records it. */
  beat: () => Promise<void>;
  /** When a value was written, on the `performance.now` clock; undefined for a value this primary never had. */
  writtenAt: (value: string) => number | undefined;
};

/**
 * Maintains a row on the primary that changes constantly. A replica that shows one of its values has everything
 * committed before that value was written. This measures how stale the replica's data is, whether it is slow, paused or
 * disconnected; and a server with a different history shows values that the primary never had.
 *
 * @param client connected to the primary
 */
export function createHeartbeats(client: Sql, everyMs: number): Heartbeats {
  const known = new Map<string, number>();
  return {
    async beat() {
      const sentAt = performance.now();
      // The condition also matches timestamps in the future, so that setting the clock back does not stop the
      // heartbeat.
      const [row] = await client.unsafe<Read[]>(
        `with written as (
          update instance_notes set noted_at = clock_timestamp()
          where name = '${NAME}' and noted_at not between clock_timestamp() - interval '${everyMs} ms' and clock_timestamp()
          returning noted_at
        ), made as (
          insert into instance_notes (name, noted_at) select '${NAME}', clock_timestamp()
          where not exists (select 1 from instance_notes where name = '${NAME}')
          on conflict do nothing returning noted_at
        ), now_there as (
          select coalesce((select noted_at from written), (select noted_at from made),
            (select noted_at from instance_notes where name = '${NAME}')) as noted_at
        )
        select extract(epoch from noted_at)::text as value,
          (extract(epoch from clock_timestamp() - noted_at) * 1000)::float8 as age_ms
        from now_there where noted_at is not null`,
      );
      if (!row) return;
      // The earliest time at which it can have been written: anything a replica with this value lacks is newer.
      known.set(row.value, Math.min(sentAt, sentAt - row.age_ms));
      for (const value of known.keys()) {
        if (known.size <= REMEMBERED) break;
        known.delete(value);
      }
    },
    writtenAt: (value) => known.get(value),
  };
}

export type Shown = { value: string | undefined; isStandby: boolean };

/** Reads the heartbeat from a server. */
export async function readHeartbeat(client: Sql): Promise<Shown> {
  const [row] = await client.unsafe<{ value: string | null; is_standby: boolean }[]>(
    `select (select extract(epoch from noted_at)::text from instance_notes where name = '${NAME}') as value,
      pg_is_in_recovery() as is_standby`,
  );
  return { value: row?.value ?? undefined, isStandby: row?.is_standby ?? false };
}
