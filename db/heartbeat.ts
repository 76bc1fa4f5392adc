import type { Sql } from "postgres";

/** Row of `instance_notes` whose time moves on for as long as a service with a replica runs. */
const NAME = "replica-heartbeat";
/** How many beats are remembered, of which a replica may show any. */
const REMEMBERED = 256;

type Read = { value: string; age_ms: number };

export type Heartbeats = {
  /** Moves the time on unless another process has just done so, and notes it. */
  beat: () => Promise<void>;
  /** When a value was written, on the clock of `performance.now`; nothing for one that this primary never had. */
  writtenAt: (value: string) => number | undefined;
};

/**
 * A row of the primary that changes all the time. A replica that shows one of its values has everything that was
 * committed before that value was written: this tells how old a replica's data is, whether it is slow, paused or cut off,
 * and a server with another history shows values that the primary never had.
 *
 * @param client of the primary
 */
export function createHeartbeats(client: Sql, everyMs: number): Heartbeats {
  const known = new Map<string, number>();
  return {
    async beat() {
      const sentAt = performance.now();
      // A clock that was set back must not stop it.
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
      // The earliest time at which it can have been written: what a replica with this value lacks is younger.
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

/** What a server shows of the heartbeat. */
export async function readHeartbeat(client: Sql): Promise<Shown> {
  const [row] = await client.unsafe<{ value: string | null; is_standby: boolean }[]>(
    `select (select extract(epoch from noted_at)::text from instance_notes where name = '${NAME}') as value,
      pg_is_in_recovery() as is_standby`,
  );
  return { value: row?.value ?? undefined, isStandby: row?.is_standby ?? false };
}
