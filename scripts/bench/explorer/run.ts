import { lastSteps } from "@/components/report/time-steps";
import type { Context } from "@/lib/platform/context";
import { listDevices, readAddress } from "@/lib/visits/devices";
import { idToUuid, newId, uuidToId } from "@/lib/contract/ids";
import { countFurther, countReports, listReports, type ReportFilter } from "@/lib/visits/reports";
import { type BenchDatabase, measureEach, openBenchDatabase, type Times } from "../database/open";

const DAYS = 90;
/** One device in a thousand visits from this address; one visit in twenty thousand has this reason in this country. */
const RARE = { address: "203.0.113.77", reason: "AUTOMATION_DETECTED", country: "IS" } as const;

type Options = { visits: number; runs: number; progress: (text: string) => void };

/** A workspace with visits spread over 90 days, ten of each device, with what lists and counts read. */
async function makeWorkspace({ fill }: BenchDatabase, visits: number): Promise<string> {
  const [workspaceId, webAppId] = [newId("workspace"), newId("webApp")];
  const [workspace, webApp] = [idToUuid(workspaceId), idToUuid(webAppId)];
  await fill.unsafe(`
    insert into workspaces (workspace_id, name, plan) values ('${workspace}', 'Bench', 'pro');
    insert into web_apps (workspace_id, web_app_id, environment_id, name) values ('${workspace}', '${webApp}', '${idToUuid(newId("environment"))}', 'Bench')`);
  await fill.unsafe(`
    insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address,
      country_code, connection_type, status, reasons, browser_name, os_name, rules_version, evidence, report)
    select '${workspace}', event, device, '${webApp}', at, 1 + n / ${Math.ceil(visits / 10)}, 'default', 'https://shop.example', address,
      country, 'residential', status, reasons, browser, system, '1', '{}',
      json_build_object('schema_version', '1.0', 'imprint', 'imp_' || replace(event::text, '-', ''), 'created_at', '2026-01-01T00:00:00.000Z',
        'device', json_build_object('id', 'dev_' || replace(device::text, '-', ''), 'seen_before', true, 'access_count', 2, 'previous_seen_at', null),
        'risk', json_build_object('status', status, 'reasons', reasons, 'findings', '[]'::json),
        'browser', json_build_object('status', 'PASS', 'name', browser), 'operating_system', json_build_object('status', 'PASS', 'name', system),
        'network', json_build_object('status', 'PASS', 'ip_consistency', 'UNKNOWN', 'provider', repeat('x', 700)))::text
    from (
      select n, at, md5('device' || n % ${Math.ceil(visits / 10)})::uuid as device,
        (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5('event' || n), 1, 15))::uuid as event,
        case when n % 1000 = 77 then '${RARE.address}'::inet else '10.0.0.0'::inet + (n % 60000) end as address,
        case when n % 20000 = 7 then '${RARE.country}' else (array['DE', 'US', 'GB', 'FR', 'JP'])[1 + n % 5] end as country,
        case when n % 20000 = 7 then 'DECEPTIVE' when n % 9 = 0 then 'SUSPICIOUS' else 'PASS' end as status,
        case when n % 20000 = 7 then '{${RARE.reason}}'::text[] when n % 9 = 0 then '{PROXY_DETECTED}' else '{}' end as reasons,
        (array['Chrome', 'Safari', 'Firefox'])[1 + n % 3] as browser, (array['Windows', 'iOS', 'macOS', 'Android'])[1 + n % 4] as system
      from (select n, now() - interval '1 minute' - (${visits} - n) * (interval '${DAYS} days' - interval '1 hour') / ${visits} as at
        from generate_series(1, ${visits}) n) spread
    ) made`);
  await fill.unsafe(`
    insert into devices (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
    select workspace_id, device_id, min(recorded_at), max(recorded_at), count(*), 'chrome', 'windows' from visits group by 1, 2;
    insert into device_addresses (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select workspace_id, device_id, address, min(country_code), min(recorded_at), max(recorded_at) from visits group by 1, 2, 3`);
  await fill.unsafe("vacuum analyze visits");
  await fill.unsafe("vacuum analyze devices");
  await fill.unsafe("vacuum analyze device_addresses");
  return workspaceId;
}

/** A figure about wrong answers is worth nothing: bars and values add up to every visit, of all and of one device. */
async function checkCounts(context: Context, quarter: ReportFilter & { starts: readonly Date[] }, visits: number) {
  const [newest] = (await listReports(context, { ...quarter, limit: 1 })).items;
  const ofDevice = { ...quarter, deviceId: newest?.deviceId };
  const { items } = await listReports(context, { ...ofDevice, limit: 100 });
  for (const [filter, expected] of [
    [quarter, visits],
    [ofDevice, items.length],
  ] as const) {
    const { steps, total, facets } = await countReports(context, filter);
    const sums = [
      steps.reduce((sum, { PASS, SUSPICIOUS, DECEPTIVE }) => sum + PASS + SUSPICIOUS + DECEPTIVE, 0),
      total.PASS + total.SUSPICIOUS + total.DECEPTIVE,
      facets.browser.reduce((sum, { count }) => sum + (count ?? 0), 0),
      facets.system.reduce((sum, { count }) => sum + (count ?? 0), 0),
    ];
    if (sums.some((sum) => sum !== expected)) throw new Error(`counted ${sums.join(", ")}, not ${expected}`);
  }
}

export type Row = { title: string } & Times;

/** Measures what the pages for exploring visits read, on a workspace of many visits. */
export async function runBench(options: Options): Promise<{ visits: number; rows: Row[] }> {
  const database = await openBenchDatabase({ poolSize: 2, daysBack: DAYS + 1 });
  try {
    options.progress(`Making ${options.visits} visits`);
    const workspaceId = await makeWorkspace(database, options.visits);
    const now = new Date();
    const context = { db: database.db, now, actor: { kind: "operator" } as const };
    const week = { workspaceId, ...lastSteps(28, "quarter", now, "UTC") };
    const quarter = { workspaceId, ...lastSteps(DAYS, "day", now, "UTC") };
    const [newest] = (await listReports(context, { ...week, limit: 1 })).items;
    const narrowed = (filter: Partial<ReportFilter>) => listReports(context, { ...quarter, ...filter });
    const cases: [string, () => Promise<unknown>][] = [
      ["list, 7 days", () => listReports(context, week)],
      ["list, 90 days", () => listReports(context, quarter)],
      ["chart, 7 days", () => countReports(context, week)],
      ["chart, 90 days", () => countReports(context, quarter)],
      ["reasons, 90 days", () => countFurther(context, { ...quarter, total: options.visits })],
      ["list, rare reason", () => narrowed({ reason: RARE.reason })],
      ["list, rare country", () => narrowed({ country: RARE.country })],
      ["list, nothing fits", () => narrowed({ browser: "Netscape" })],
      ["list, address", () => narrowed({ address: RARE.address })],
      ["list, range /20", () => narrowed({ address: "10.0.16.0/20" })],
      ["list, device", () => narrowed({ deviceId: newest?.deviceId ?? uuidToId("device", "") })],
      ["address page", () => readAddress(context, { workspaceId, address: RARE.address })],
      ["range page /16", () => readAddress(context, { workspaceId, address: "10.0.0.0/16" })],
      ["devices", () => listDevices(context, { workspaceId })],
    ];
    const since = quarter.from.toISOString();
    const [all] = await database.fill<{ visits: number }[]>`
      select count(*)::int as visits from visits where recorded_at >= ${since}`;
    await checkCounts(context, quarter, all?.visits ?? 0);
    const rows: Row[] = [];
    for (const [title, work] of cases) {
      options.progress(title);
      rows.push({ title, ...(await measureEach(Array(options.runs).fill(0), work)) });
    }
    return { visits: options.visits, rows };
  } finally {
    await database.stop();
  }
}
