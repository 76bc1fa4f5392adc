import type { Sql } from "postgres";

import type { Database } from "@/db/client";
import { ensurePartitions } from "@/db/partitions";
import { idToUuid } from "@/lib/contract/ids";
import { eventIdAt } from "../database/event-id";

const DAY_MS = 86_400_000;
const DAYS = 90;
/** Events per statement; progress is printed in between. */
const BATCH = 250_000;
const VISITS_OF_DEVICE = 10;

/** A stored visit that is copied. */
export type Template = { workspaceId: string; imprint: string };

const COLUMNS = `workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address, country_code,
  asn, connection_type, status, reasons, browser_name, os_name, rules_version, evidence, report`;

/**
 * SQL that copies the template, with a new imprint in each Report, from rows of `event`, `device`, `at`, `position`,
 * `place`.
 */
const copiesOf = ({ workspaceId, imprint }: Template, made: string) => `
  insert into visits (${COLUMNS})
  select t.workspace_id, made.event, made.device, t.web_app_id, made.at, made.position, t.surface, t.origin, made.place,
    t.country_code, t.asn, t.connection_type, t.status, t.reasons, t.browser_name, t.os_name, t.rules_version, '{}',
    replace(t.report, '${imprint}', 'imp_' || replace(made.event::text, '-', ''))
  from (${made}) made,
    (select * from visits where workspace_id = '${idToUuid(workspaceId)}' and event_id = '${idToUuid(imprint)}') t`;

/** Inserts events `from` to `to` of `total`, spread over the last 90 days. Even-numbered ones are already delivered. */
async function fillBatch(fill: Sql, template: Template, [from, to, total]: [number, number, number]): Promise<void> {
  const workspace = idToUuid(template.workspaceId);
  const devices = Math.ceil(total / VISITS_OF_DEVICE);
  const step = `now() - interval '1 hour' - (${total} - n) * interval '${DAYS} days' / ${total}`;
  await fill.unsafe(`
    with stored as (${copiesOf(
      template,
      `select ${eventIdAt("spread.at", "n::text")} as event, md5('device' || n % ${devices})::uuid as device, spread.at,
        1 + n / ${devices} as position, '10.0.0.0'::inet + (n % ${devices}) as place
       from (select n, ${step} as at from generate_series(${from}, ${to}) n) spread`,
    )} returning workspace_id, event_id, web_app_id, recorded_at, access_count)
    insert into report_deliveries (workspace_id, event_id, web_app_id, period, delivered_at)
    select workspace_id, event_id, web_app_id, to_char(recorded_at, 'YYYY-MM'), recorded_at from stored where access_count % 2 = 0`);
  if (to <= devices)
    await fill.unsafe(`
      insert into devices (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
      select '${workspace}', md5('device' || n)::uuid, now() - interval '${DAYS} days', now() - interval '1 day', ${VISITS_OF_DEVICE},
        'chrome', 'windows' from generate_series(${from}, ${to}) n on conflict do nothing;
      insert into device_tokens (workspace_id, token_id, device_id)
      select '${workspace}', md5('token' || n)::uuid, md5('device' || n)::uuid from generate_series(${from}, ${to}) n on conflict do nothing;
      insert into device_addresses (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
      select '${workspace}', md5('device' || n)::uuid, '10.0.0.0'::inet + n, 'DE', now() - interval '${DAYS} days', now() - interval '1 day'
      from generate_series(${from}, ${to}) n on conflict do nothing`);
}

/** Fills the template's workspace up to `to` events, as months of visits would. `from` events already exist. */
export async function fillEvents(
  { db, fill, template, say }: { db: Database; fill: Sql; template: Template; say: (text: string) => void },
  { from, to }: { from: number; to: number },
): Promise<void> {
  const now = new Date();
  await ensurePartitions(db, new Date(now.getTime() - (DAYS + 1) * DAY_MS), now);
  const devices = Math.ceil(to / VISITS_OF_DEVICE);
  const ends = new Set([devices, to]);
  for (let end = from + BATCH; end < to; end += BATCH) ends.add(end);
  let start = from + 1;
  for (const end of [...ends].filter((value) => value > from).sort((a, b) => a - b)) {
    say(`Storing events: ${start - 1} of ${to}`);
    await fillBatch(fill, template, [start, end, to]);
    start = end + 1;
  }
  say("Analysing");
  for (const table of ["visits", "report_deliveries", "devices", "device_tokens", "device_addresses"])
    await fill.unsafe(`vacuum analyze ${table}`);
  // Flush now, so that the dirty pages are not written during the measurement.
  await fill.unsafe("checkpoint");
}

/** Creates current visits whose Reports were never read, and returns their imprints. */
export async function makeFreshVisits(fill: Sql, template: Template, count: number, salt: string): Promise<string[]> {
  const rows = await fill.unsafe<{ imprint: string }[]>(`
    ${copiesOf(
      template,
      `select ${eventIdAt("clock.at", `('${salt}' || n)`)} as event, md5('${salt}' || n)::uuid as device, clock.at, 1 as position,
        '10.200.0.0'::inet + n as place
       from generate_series(1, ${count}) n, (select clock_timestamp() as at) clock`,
    )} returning 'imp_' || replace(event_id::text, '-', '') as imprint`);
  await fill.unsafe("analyze visits");
  return rows.map(({ imprint }) => imprint);
}
