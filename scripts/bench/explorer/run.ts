import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";

import * as schema from "@/db/schema";
import { lastSteps } from "@/components/report/time-steps";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { listDevices, readAddress } from "@/lib/visits/devices";
import { summariseSubject } from "@/lib/visits/investigation";
import { idToUuid, newId, uuidToId } from "@/lib/contract/ids";
import { countFurther, countReports, listReports, type ReportFilter } from "@/lib/visits/reports";
import {
  countSlices,
  explore,
  type ExploredDimension,
  findUnusual,
  listBusiest,
  summariseVisits,
} from "@/lib/visits/slices";
import { type BenchDatabase, measureEach, openBenchDatabase, openKeptDatabase, type Times } from "../database/open";
import { eventIdAt } from "../database/event-id";
import { connectTo } from "../../common/connection";

const DAYS = 90;
const NETWORKS = 2_000;
/** One device in a thousand visits from this address; one visit in twenty thousand has the other values. */
const RARE = {
  address: "203.0.113.77",
  reason: "AUTOMATION_DETECTED",
  country: "IS",
  surface: "invitation",
  asn: 66_600,
} as const;

type Options = {
  visits: number;
  runs: number;
  /** A database that is filled once and kept; without it, a temporary one is created. */
  url: string | undefined;
  /** Only measure reads whose title contains this text. */
  only: string | undefined;
  progress: (text: string) => void;
};

const nameOf = (visits: number) => `Bench of ${visits} visits`;

/**
 * Inserts visits `from` to `to`, their rules and their account links. All values derive from the visit's number, so
 * every run has the same data.
 */
const insertVisits = (ids: { workspace: string; webApp: string }, visits: number, from: number, to: number) => `
    with made as (insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address,
      country_code, asn, connection_type, status, reasons, rules, browser_name, os_name, rules_version, evidence, report)
    select '${ids.workspace}', event, device, '${ids.webApp}', at, 1 + n / ${Math.ceil(visits / 10)}, surface, 'https://shop.example', address,
      country, asn, connection, status, reasons, rules, browser, system, '1', '{}',
      json_build_object('schema_version', '1.0', 'imprint', 'imp_' || replace(event::text, '-', ''), 'created_at', '2026-01-01T00:00:00.000Z',
        'device', json_build_object('id', 'dev_' || replace(device::text, '-', ''), 'seen_before', true, 'access_count', 2, 'previous_seen_at', null),
        'risk', json_build_object('status', status, 'reasons', reasons, 'findings', '[]'::json),
        'browser', json_build_object('status', 'PASS', 'name', browser), 'operating_system', json_build_object('status', 'PASS', 'name', system),
        'network', json_build_object('status', 'PASS', 'ip_consistency', 'UNKNOWN', 'provider', repeat('x', 700)))::text
    from (
      select n, at, md5('device' || n % ${Math.ceil(visits / 10)})::uuid as device,
        ${eventIdAt("at", "n::text")} as event,
        case when n % 1000 = 77 then '${RARE.address}'::inet else '10.0.0.0'::inet + (n % 60000) end as address,
        case when n % 20000 = 7 then '${RARE.country}' else (array['DE', 'US', 'GB', 'FR', 'JP'])[1 + n % 5] || '' end as country,
        -- Most visits come from few networks, as in reality: the power makes small numbers more frequent.
        case when n % 20000 = 7 then ${RARE.asn} else 64500 + (power(h / 256.0, 3) * ${NETWORKS})::int end as asn,
        (array['residential', 'residential', 'mobile', 'corporate', 'hosting'])[1 + n % 5] as connection,
        case when n % 20000 = 7 then '${RARE.surface}'
          else (array['default', 'product', 'sign-in', 'checkout', 'sign-up', 'reset'])[1 + n % 6] end as surface,
        case when n % 20000 = 7 then 'DECEPTIVE' when n % 9 = 0 then 'SUSPICIOUS' else 'PASS' end as status,
        case when n % 20000 = 7 then '{${RARE.reason}}'::text[] when n % 9 = 0 then '{PROXY_DETECTED}' else '{}' end as reasons,
        case when n % 20000 = 7 then '{automation.webdriver}'::text[] when n % 9 = 0 then array['rule.' || n % 40] else '{}' end as rules,
        (array['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung Internet'])[1 + n % 5] as browser,
        (array['Windows', 'iOS', 'macOS', 'Android'])[1 + n % 4] as system
      from (
        select n, get_byte(decode(md5('network' || n), 'hex'), 0) + get_byte(decode(md5('network' || n), 'hex'), 1) / 256.0 as h,
          now() - interval '1 minute' - (${visits} - n) * (interval '${DAYS} days' - interval '1 hour') / ${visits} as at
        from generate_series(${from}, ${to}) n) spread
    ) computed
    returning workspace_id, event_id, device_id, surface, recorded_at, rules),
    ruled as (insert into visit_rules (workspace_id, event_id, rule_id, is_observed)
      select workspace_id, event_id, rule, false from made, unnest(rules) rule)
    insert into account_links (workspace_id, event_id, device_id, account_hash, recorded_at)
    select workspace_id, event_id, device_id, decode(md5('account' || device_id), 'hex'), recorded_at from made
    where surface = 'sign-in'`;

const READ_TABLES = [
  ...["visits", "visit_rules", "devices", "device_addresses", "account_links", "device_accounts"],
  ...["visit_slices", "closed_slices"],
];

/** Does the work of the service's and server's background jobs: counts remaining slices and vacuums. */
async function settle({ db, fill }: BenchDatabase, workspaceId: string, progress: Options["progress"]): Promise<void> {
  progress("Counting slices");
  await countSlices(db, workspaceId);
  for (const table of READ_TABLES) {
    progress(`Vacuuming ${table}`);
    await fill.unsafe(`vacuum analyze ${table}`);
  }
}

type Ids = { workspaceId: string; workspace: string; webApp: string };

/**
 * Inserts the visits one day at a time, counting the slices of a day while the next one is inserted: as in a live
 * service, the slices of the newest days are written last. Steps as small as the service's own would take more than an
 * hour.
 */
async function fillVisits(
  { fill, url }: BenchDatabase,
  ids: Ids,
  { visits, progress }: Pick<Options, "visits" | "progress">,
): Promise<void> {
  const counter = connectTo(url);
  await counter.unsafe("set work_mem = '512MB'");
  const perDay = Math.ceil(visits / DAYS);
  const count = (lagSeconds?: number) =>
    countSlices(drizzle(counter, { schema }), ids.workspaceId, {
      limit: perDay,
      ...(lagSeconds === undefined ? {} : { lagSeconds }),
    });
  let counting = Promise.resolve();
  for (let from = 1; from <= visits; from += perDay) {
    const to = Math.min(visits, from + perDay - 1);
    progress(`Making visits ${from} to ${to} of ${visits}`);
    await fill.unsafe(insertVisits(ids, visits, from, to));
    await counting;
    const [newest] = await fill.unsafe<{ seconds: number }[]>(`
      select extract(epoch from now() - max(recorded_at))::float8 as seconds from visits
      where workspace_id = '${ids.workspace}'`);
    counting = count(newest?.seconds ?? 0);
    // Awaited after the next day's visits have been inserted.
    counting.catch(() => undefined);
  }
  await counting;
  await count();
  await counter.end({ timeout: 5 });
}

/** Finds the workspace that an earlier run created in a kept database. */
async function findWorkspace({ fill }: BenchDatabase, visits: number): Promise<string | undefined> {
  const [found] = await fill<
    { id: string }[]
  >`select workspace_id as id from workspaces where name = ${nameOf(visits)}`;
  return found && uuidToId("workspace", found.id);
}

/** Creates a workspace with visits spread over 90 days, ten per device, and all the data that the pages read. */
async function makeWorkspace(database: BenchDatabase, options: Pick<Options, "visits" | "progress">): Promise<string> {
  const { fill } = database;
  const [workspaceId, webAppId] = [newId("workspace"), newId("webApp")];
  const ids = { workspaceId, workspace: idToUuid(workspaceId), webApp: idToUuid(webAppId) };
  await fill.unsafe(`
    insert into workspaces (workspace_id, name, plan) values ('${ids.workspace}', 'Unfinished', 'pro');
    insert into web_apps (workspace_id, web_app_id, environment_id, name) values ('${ids.workspace}', '${ids.webApp}', '${idToUuid(newId("environment"))}', 'Bench')`);
  await fillVisits(database, ids, options);
  options.progress("Making devices, addresses and accounts");
  await fill.unsafe(`
    insert into devices (workspace_id, device_id, first_seen_at, last_recorded_at, access_count, browser_family, os_family)
    select workspace_id, device_id, min(recorded_at), max(recorded_at), count(*), 'chrome', 'windows' from visits group by 1, 2;
    insert into device_addresses (workspace_id, device_id, address, country_code, first_seen_at, last_seen_at)
    select workspace_id, device_id, address, min(country_code), min(recorded_at), max(recorded_at) from visits group by 1, 2, 3;
    insert into device_accounts (workspace_id, device_id, account_hash, first_recorded_at, first_event_id)
    select distinct on (device_id, account_hash) workspace_id, device_id, account_hash, recorded_at, event_id
    from account_links order by device_id, account_hash, recorded_at`);
  await fill`update workspaces set name = ${nameOf(options.visits)} where workspace_id = ${ids.workspace}`;
  return workspaceId;
}

/**
 * Timings of wrong answers are worthless, so this checks that bars and facet values add up to every visit, for the
 * workspace and for one device.
 */
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
      // Facets beyond those of a single device have no counts.
      ...[facets.browser, facets.system].map((values) =>
        filter === quarter ? values.reduce((sum, { count }) => sum + (count ?? 0), 0) : expected,
      ),
    ];
    if (sums.some((sum) => sum !== expected)) throw new Error(`counted ${sums.join(", ")}, not ${expected}`);
  }
}

export type Row = {
  title: string;
  limitMs: number;
  /** Duration of the first read, which may find nothing cached; undefined if it exceeded the statement deadline. */
  firstMs: number | undefined;
} & Times;

/** Maximum number of first reads that may hit the statement deadline before the pages are cached. */
const FIRST_READS = 3;

const CANCELLED = "57014";

/** The deadline is enforced by the client or, slightly earlier, by the server. */
const endedByDeadline = (error: unknown): boolean =>
  (error instanceof AppError && error.code === "service_unavailable") ||
  (error instanceof postgres.PostgresError && error.code === CANCELLED) ||
  (error instanceof Error && error.cause !== undefined && endedByDeadline(error.cause));

/** A read that hits the deadline counts with the time it took, which exceeds every limit. */
async function untilDeadline(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!endedByDeadline(error)) throw error;
  }
}

/**
 * Reads what the measured reads will read, as the first person after a restart would; returns the duration of the first
 * attempt.
 */
async function readFirst(work: () => Promise<unknown>): Promise<number | undefined> {
  for (let read = 1; ; read += 1) {
    const startedAt = performance.now();
    try {
      await work();
      return read === 1 ? Number((performance.now() - startedAt).toFixed(2)) : undefined;
    } catch (error) {
      if (!endedByDeadline(error)) throw error;
      if (read === FIRST_READS) return undefined;
    }
  }
}

/** Limit for the Overview, Explore and the list, regardless of the number of visits; other pages have a longer one. */
const SLICE_MS = 300;
const PAGE_MS = 2_000;

type Case = [title: string, limitMs: number, work: () => Promise<unknown>];

/** Every query of the Overview and of Explore. */
function sliceCases(context: Context, workspaceId: string): Case[] {
  const spans = [1, 7, 30, DAYS].map((days) => {
    const { from, to } = lastSteps(days === 1 ? 24 : days, days === 1 ? "hour" : "day", context.now, "UTC");
    return { title: days === 1 ? "24 hours" : `${days} days`, range: { workspaceId, from, to } };
  });
  const [, , , whole] = spans;
  const pairs: (readonly [ExploredDimension] | readonly [ExploredDimension, ExploredDimension])[] = [
    ["reason"],
    ["rule"],
    ["network"],
    ["device"],
    ["account"],
    ["rule", "surface"],
    ["country", "network"],
    ["browser", "network"],
    ["device", "country"],
    ["account", "surface"],
  ];
  return [
    ...spans.flatMap(({ title, range }): Case[] => [
      [`overview, ${title}`, SLICE_MS, () => summariseVisits(context, range)],
      [`most accounts, ${title}`, SLICE_MS, () => listBusiest(context, range)],
    ]),
    ["overview, unusual values", SLICE_MS, () => findUnusual(context, { workspaceId })],
    ...pairs.map((dimensions): Case => {
      const { range } = whole ?? { range: { workspaceId, from: context.now, to: context.now } };
      return [
        `explore ${dimensions.join(" and ")}, 90 days`,
        SLICE_MS,
        () => explore(context, { ...range, dimensions }),
      ];
    }),
  ];
}

async function measureCases(cases: readonly Case[], { runs, only = "", progress }: Options): Promise<Row[]> {
  const chosen = cases.filter(([title]) => title.includes(only));
  if (chosen.length === 0)
    throw new Error(`--only ${only}: no read has this text in its title. ${cases.map(([title]) => title).join("; ")}`);
  const rows: Row[] = [];
  for (const [title, limitMs, work] of chosen) {
    progress(title);
    const firstMs = await readFirst(work);
    rows.push({ title, limitMs, firstMs, ...(await measureEach(Array(runs).fill(0), () => untilDeadline(work))) });
  }
  return rows;
}

/** Measures the queries of the exploration pages on a workspace with many visits. */
export async function runBench(options: Options): Promise<{ visits: number; rows: Row[] }> {
  const size = { poolSize: 2, daysBack: DAYS + 1 };
  const database = await (options.url === undefined ? openBenchDatabase(size) : openKeptDatabase(options.url, size));
  try {
    const workspaceId = (await findWorkspace(database, options.visits)) ?? (await makeWorkspace(database, options));
    await settle(database, workspaceId, options.progress);
    const now = new Date();
    const context = { db: database.db, now, actor: { kind: "operator" } as const };
    const week = { workspaceId, ...lastSteps(28, "quarter", now, "UTC") };
    const quarter = { workspaceId, ...lastSteps(DAYS, "day", now, "UTC") };
    const [newest] = (await listReports(context, { ...week, limit: 1 })).items;
    const month = { workspaceId, ...lastSteps(30, "day", now, "UTC") };
    const network = (asn: number) =>
      Promise.all([
        summariseSubject(context, { workspaceId, kind: "network", asn, since: month.from }),
        countReports(context, { ...month, asn }),
        listReports(context, { ...month, asn, limit: 20 }),
      ]);
    const narrowed = (filter: Partial<ReportFilter>) => listReports(context, { ...quarter, ...filter });
    const cases: Case[] = [
      ...sliceCases(context, workspaceId),
      ["list, 7 days", SLICE_MS, () => listReports(context, week)],
      ["list, 90 days", SLICE_MS, () => listReports(context, quarter)],
      ["chart, 7 days", SLICE_MS, () => countReports(context, week)],
      ["chart, 90 days", SLICE_MS, () => countReports(context, quarter)],
      ["chart, 90 days, one reason", SLICE_MS, () => countReports(context, { ...quarter, reason: "PROXY_DETECTED" })],
      ["reasons, 90 days", PAGE_MS, () => countFurther(context, { ...quarter, total: options.visits })],
      ["list, rare reason", PAGE_MS, () => narrowed({ reason: RARE.reason })],
      ["list, rare country", PAGE_MS, () => narrowed({ country: RARE.country })],
      ["list, rare rule", PAGE_MS, () => narrowed({ rule: "automation.webdriver" })],
      ["list, rare surface", PAGE_MS, () => narrowed({ surface: RARE.surface })],
      ["list, rare verdict", PAGE_MS, () => narrowed({ status: "DECEPTIVE" })],
      ["list, rare network and a browser", PAGE_MS, () => narrowed({ asn: RARE.asn, browser: "Firefox" })],
      ["list, nothing fits", PAGE_MS, () => narrowed({ browser: "Netscape" })],
      ["list, address", PAGE_MS, () => narrowed({ address: RARE.address })],
      ["list, range /20", PAGE_MS, () => narrowed({ address: "10.0.16.0/20" })],
      ["list, device", PAGE_MS, () => narrowed({ deviceId: newest?.deviceId ?? uuidToId("device", "") })],
      ["address page", PAGE_MS, () => readAddress(context, { workspaceId, address: RARE.address })],
      ["range page /16", PAGE_MS, () => readAddress(context, { workspaceId, address: "10.0.0.0/16" })],
      ["page of a rare network", PAGE_MS, () => network(RARE.asn)],
      ["page of the busiest network", PAGE_MS, () => network(64_500)],
      ["devices", PAGE_MS, () => listDevices(context, { workspaceId })],
    ];
    const since = quarter.from.toISOString();
    const [all] = await database.fill<{ visits: number }[]>`
      select count(*)::int as visits from visits where recorded_at >= ${since}`;
    await checkCounts(context, quarter, all?.visits ?? 0);
    return { visits: options.visits, rows: await measureCases(cases, options) };
  } finally {
    await database.stop();
  }
}
