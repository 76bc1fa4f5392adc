import { type SQL, sql } from "drizzle-orm";

import {
  type Dimension,
  FEW_VALUED,
  type FewValued,
  HOURLY_DAYS,
  LONG_CODES,
  MANY_VALUED_CODES,
  PAIRS,
  RULE_PAIR_CODE,
  sliceCode,
  TOTAL_CODE,
} from "@/lib/visits/slices/domain/dimensions";
import { CLOCK_SKEW_MS } from "./queries-parts";

type Listed = "reason" | "rule";
const isListed = (dimension: Dimension): dimension is Listed => dimension === "reason" || dimension === "rule";

/** The value of a single-valued dimension for a visit `v` with link `l`. */
const VALUES: Record<Exclude<Dimension, Listed>, SQL> = {
  surface: sql`v.surface`,
  app: sql`v.web_app_id::text`,
  country: sql`coalesce(v.country_code, '')`,
  network: sql`coalesce(v.asn::text, '')`,
  connection: sql`coalesce(v.connection_type, '')`,
  browser: sql`coalesce(v.browser_name, '')`,
  system: sql`coalesce(v.os_name, '')`,
  device: sql`v.device_id::text`,
  address: sql`host(v.address)`,
  account: sql`encode(l.account_hash, 'hex')`,
};

/** Lists whose entries are values; a visit counts once for each entry. */
const LISTS: Record<Listed, { list: SQL; entry: SQL }> = {
  reason: { list: sql`unnest(v.reasons) reason`, entry: sql`reason` },
  rule: { list: sql`unnest(v.rules) rule`, entry: sql`rule` },
};

export const valueOf = (dimension: Dimension): SQL =>
  isListed(dimension) ? LISTS[dimension].entry : VALUES[dimension];

/** Joins to visits `v` that `valueOf` requires for these dimensions. */
export function joinsOf(dimensions: readonly Dimension[]): SQL {
  const lists = dimensions.flatMap((dimension) => (isListed(dimension) ? [LISTS[dimension].list] : []));
  const link = dimensions.includes("account")
    ? sql` left join account_links l on l.workspace_id = v.workspace_id and l.event_id = v.event_id`
    : sql``;
  return sql`${link}${sql.join(
    lists.map((list) => sql` cross join lateral ${list}`),
    sql``,
  )}`;
}

const row = (code: number, first: SQL, second: SQL = sql`''`): SQL =>
  sql`(${sql.raw(String(code))}, ${first}, ${second})`;
const rows = (list: readonly SQL[]): SQL => sql`(values ${sql.join([...list], sql`, `)})`;

const SINGLE_VALUED = FEW_VALUED.filter((dimension): dimension is Exclude<FewValued, Listed> => !isListed(dimension));

/** Slices of a visit for each entry of a list: alone, and combined with each other value. */
const ofEntry = (listed: Listed): SQL => sql`
  select each.* from ${LISTS[listed].list}, lateral ${rows([
    row(sliceCode(listed), LISTS[listed].entry),
    ...SINGLE_VALUED.map((other) => row(sliceCode(listed, other), LISTS[listed].entry, VALUES[other])),
  ])} each`;

/** All slices that a visit `v` with link `l` counts in, as rows of code, first and second. */
const SLICES_OF_VISIT = sql`
  select * from ${rows([
    row(TOTAL_CODE, sql`''`),
    ...SINGLE_VALUED.map((dimension) => row(sliceCode(dimension), VALUES[dimension])),
    ...PAIRS.flatMap(([one, other]) =>
      isListed(one) || isListed(other) ? [] : [row(sliceCode(one, other), VALUES[one], VALUES[other])],
    ),
    ...(["device", "address", "account"] as const).map((dimension) => row(sliceCode(dimension), VALUES[dimension])),
  ])} single
  union all ${ofEntry("reason")}
  union all ${ofEntry("rule")}
  union all select ${sql.raw(String(sliceCode("reason", "rule")))}, reason, rule
    from ${LISTS.reason.list}, ${LISTS.rule.list}
  union all select ${sql.raw(String(RULE_PAIR_CODE))}, one, other
    from unnest(v.rules) one, unnest(v.rules) other where one < other`;

export const VERDICTS = sql`
  (count(*) filter (where v.status = 'PASS'))::int as passed,
  (count(*) filter (where v.status = 'SUSPICIOUS'))::int as suspicious,
  (count(*) filter (where v.status = 'DECEPTIVE'))::int as deceptive`;

/** Counts `visits`, with their links in `links`, by slice and hour. */
export const countedSlices = (visits: SQL, links: SQL): SQL => sql`
  select s.code, date_trunc('hour', v.recorded_at, 'UTC') as hour, s.first, s.second, ${VERDICTS}
  from ${visits} v left join ${links} l on l.workspace_id = v.workspace_id and l.event_id = v.event_id
  cross join lateral (${SLICES_OF_VISIT}) s(code, first, second)
  where s.first is not null
  group by 1, 2, 3, 4`;

export const codes = (list: readonly number[]): SQL => sql`${`{${list.join()}}`}::smallint[]`;

/** Hourly, daily and weekly slices of the CTE `counted`. */
export const ADDED_SLICES = sql`
  select code, 1::smallint as hours, hour as starts_at, first, second, passed, suspicious, deceptive from counted
  where code = any(${codes(LONG_CODES)}) or hour >= statement_timestamp() - make_interval(days => ${HOURLY_DAYS})
  union all
  select code, 24::smallint, date_trunc('day', hour, 'UTC'), first, second,
    sum(passed)::int, sum(suspicious)::int, sum(deceptive)::int from counted group by 1, 3, 4, 5
  union all
  select code, 168::smallint, date_trunc('week', hour, 'UTC'), first, second,
    sum(passed)::int, sum(suspicious)::int, sum(deceptive)::int from counted
  where code <> all(${codes(MANY_VALUED_CODES)}) group by 1, 3, 4, 5`;

export const timestamp = (at: Date): SQL => sql`${at.toISOString()}::timestamptz`;

/** Lowest possible event id of a visit recorded at a time of the database clock, as SQL. */
export const eventFloor = (at: SQL): SQL => sql`
  (lpad(to_hex(greatest(0, floor(extract(epoch from ${at}) * 1000)::bigint - ${CLOCK_SKEW_MS}::bigint)), 12, '0')
    || repeat('0', 20))::uuid`;

export type SliceHours = 1 | 24 | 168;

/** Tables with slices of a length. Those of past days and weeks are in a table of their own. */
export const tablesOf = (hours: SliceHours): SQL[] =>
  hours === 1 ? [sql.raw("visit_slices")] : [sql.raw("visit_slices"), sql.raw("closed_slices")];

/** Slices of a length from all of their tables. */
export const slicesOf = (workspace: SQL, hours: SliceHours): SQL =>
  sql`(${sql.join(
    tablesOf(hours).map((table) => sql`select * from ${table} where workspace_id = ${workspace}`),
    sql` union all `,
  )})`;
