import type postgres from "postgres";

import type { Database } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { eventIdAt } from "../database/event-id";

const DAYS = 90;
const DAY_MS = 86_400_000;
/** Visits per statement. */
const BATCH = 50_000;
/** Default of SIGNALS_RETENTION_DAYS: older visits no longer have raw signals. */
const DAYS_WITH_SIGNALS = 30;

type Fill = { db: Database; sql: postgres.Sql; visits: number; say: (text: string) => void };

/**
 * Creates visits over the last 90 days as copies of the stored ones in turn, each with a new imprint: with their
 * Reports, and the newest third with raw signals.
 */
export async function fillVisits({ db, sql, visits, say }: Fill): Promise<void> {
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - (DAYS + 1) * DAY_MS), now);
  const rows = await sql<{ name: string }[]>`
    select quote_ident(attname) as name from pg_attribute
    where attrelid = 'visits'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const own: Record<string, string> = {
    event_id: "m.event",
    recorded_at: "m.at",
    report:
      "replace(t.report, 'imp_' || replace(t.event_id::text, '-', ''), 'imp_' || replace(m.event::text, '-', ''))",
  };
  const names = rows.map(({ name }) => name);
  await sql.unsafe(`
    create temporary table templates as select row_number() over (order by md5(v.event_id::text)) - 1 as i, v.*, s.packed
    from visits v join visit_signals s on s.workspace_id = v.workspace_id and s.event_id = v.event_id`);
  const [counted] = await sql<{ count: number }[]>`select count(*)::int as count from templates`;
  const templates = counted?.count ?? 0;
  if (templates === 0) throw new Error("No visit is stored that could be copied.");
  for (let from = 0; from < visits; from += BATCH) {
    const to = Math.min(visits, from + BATCH) - 1;
    const joined = `m join templates t on t.i = (m.n * 7919::bigint) % ${templates}`;
    await sql.unsafe(`
      with m as materialized (
        select n, at, ${eventIdAt("at", "n::text")} as event
        from (select n, now() - interval '1 hour' - (${visits} - n) * interval '${DAYS} days' / ${visits} as at
          from generate_series(${from}, ${to}) n) times
      ), stored as (
        insert into visits (${names.join(", ")})
        select ${names.map((name) => own[name] ?? `t.${name}`).join(", ")} from ${joined}
      )
      insert into visit_signals (workspace_id, event_id, packed)
      select t.workspace_id, m.event, t.packed from ${joined}
      where m.at > now() - interval '${DAYS_WITH_SIGNALS} days'`);
    say(`${to + 1} of ${visits} visits`);
  }
  await sql.unsafe("analyze");
}
