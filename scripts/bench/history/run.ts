import { type SQL, sql } from "drizzle-orm";

import { readHistory } from "@/lib/visits/history";
import { historyStatement } from "@/lib/visits/visit-store";
import { idToUuid, newId, uuidToId } from "@/lib/contract/ids";
import { type BenchDatabase, measureEach, openBenchDatabase, readPlan, type Times } from "../database/open";
import { eventIdAt } from "../database/event-id";

const DAYS = 90;
const DAY_MS = 86_400_000;

type Options = { events: number; runs: number; progress: (text: string) => void };
type Device = { deviceId: string; imprint: string; events: number };

/** Creates a device with `events` visits, spread evenly over the days up to now. */
async function makeDevice({ fill }: BenchDatabase, workspaceId: string, events: number): Promise<Device> {
  const deviceId = newId("device");
  const [row] = await fill.unsafe<{ event_id: string }[]>(`
    with made as (
      insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin,
        country_code, status, reasons, rules_version, evidence, report)
      select '${idToUuid(workspaceId)}', ${eventIdAt("at", `'${deviceId}' || n`)},
        '${idToUuid(deviceId)}', '${idToUuid(deviceId)}', at, n, 'surface-' || n % 5, 'https://shop.example', 'DE', 'PASS', '{}', '1', '{}', repeat('x', 1200)
      from (
        select n, now() - interval '1 minute' - (${events} - n) * (interval '${DAYS} days' - interval '1 hour') / ${events} as at
        from generate_series(1, ${events}) n
      ) spread returning event_id, access_count
    ) select event_id from made where access_count = ${events}`);
  return { deviceId, imprint: uuidToId("imprint", row?.event_id ?? ""), events };
}

const explained = (statement: SQL) => sql`explain (analyze, buffers, format json) ${statement}`;

/** Reads of the product's own statement, measured by explaining it. */
async function readsOf({ db }: BenchDatabase, workspaceId: string, { deviceId }: Device, days: number) {
  const fromSecond = Math.floor(Date.now() / DAY_MS - days + 1) * 86_400;
  const statement = historyStatement(workspaceId, idToUuid(deviceId), { fromSecond, days, recent: 20 });
  const plan = await db.execute(explained(statement));
  return readPlan(plan);
}

/** The naive query: reads and counts every visit of the range. */
const plainCount = (workspaceId: string, { deviceId }: Device, days: number) => sql`
  select (recorded_at at time zone 'UTC')::date as day, count(*)::int from visits
  where workspace_id = ${idToUuid(workspaceId)}::uuid and device_id = ${idToUuid(deviceId)}::uuid
    and recorded_at >= date_trunc('day', now()) - make_interval(days => ${days - 1}) group by 1`;

type Row = { title: string; events: number; days: number; rowsRead: number; pages: number } & Times;

async function measure(database: BenchDatabase, workspaceId: string, device: Device, days: number, options: Options) {
  const rows: Row[] = [];
  const about = { events: device.events, days };
  options.progress(`Measuring ${device.events} visits, ${days} days`);
  const runs = Array.from({ length: options.runs }, (_, index) => index);
  const reader = { workspaceId, plan: "enterprise" } as const;
  const history = await measureEach(runs, () =>
    readHistory(database, reader, { imprint: device.imprint, days, recent: 20 }),
  );
  const reads = await readsOf(database, workspaceId, device, days);
  rows.push({ title: "by position", ...about, rowsRead: reads.rows, pages: reads.pages, ...history });
  const statement = plainCount(workspaceId, device, days);
  const plain = await measureEach(runs.slice(0, Math.max(5, options.runs / 20)), () => database.db.execute(statement));
  const plainReads = readPlan(await database.db.execute(explained(statement)));
  rows.push({ title: "counting every visit", ...about, rowsRead: plainReads.rows, pages: plainReads.pages, ...plain });
  return rows;
}

/** Measures History on a quiet and on a very busy device, and compares it with counting every visit. */
export async function runBench(options: Options) {
  const database = await openBenchDatabase({ poolSize: 2, daysBack: DAYS + 1 });
  try {
    const workspaceId = newId("workspace");
    options.progress(`Making a device with ${options.events} visits`);
    const busy = await makeDevice(database, workspaceId, options.events);
    const quiet = await makeDevice(database, workspaceId, 100);
    await database.fill.unsafe("vacuum analyze visits");
    const rows: Row[] = [];
    for (const days of [1, 30, DAYS])
      for (const device of [quiet, busy]) rows.push(...(await measure(database, workspaceId, device, days, options)));
    return { rows };
  } finally {
    await database.stop();
  }
}
