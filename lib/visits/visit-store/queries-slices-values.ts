import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import type { FewValued } from "@/lib/visits/slices/domain/dimensions";
import { eventsBetween, listedTimes, uuid } from "./queries-parts";
import type { SeriesRow } from "./queries-slices";
import { joinsOf, timestamp, valueOf, VERDICTS } from "./queries-slices-parts";

type Named = "device" | "account";
type Asked = { workspaceId: string; dimension: Named; values: readonly string[]; from: Date; to: Date };

const textArray = (values: readonly string[]): SQL =>
  sql`array(select json_array_elements_text(${JSON.stringify(values)}::json))`;

/** Visits `v` of a device or account `w.value` in a range, read from that subject's index. */
const visitsOf = ({ workspaceId, dimension, from, to }: Asked): SQL => {
  const times = (alias: string) => sql`${sql.raw(alias)}.recorded_at >= ${timestamp(from)}
    and ${sql.raw(alias)}.recorded_at < ${timestamp(to)}`;
  return dimension === "device"
    ? sql`visits v where v.workspace_id = ${uuid(workspaceId)} and v.device_id = w.value::uuid
        and ${times("v")} and ${eventsBetween(from, to)} order by v.recorded_at desc`
    : sql`account_links a join visits v on v.workspace_id = a.workspace_id and v.event_id = a.event_id
        where a.workspace_id = ${uuid(workspaceId)} and a.account_hash = decode(w.value, 'hex')
        and ${times("a")} order by a.recorded_at desc`;
};

/** Counts the visits of each device or account in a range, up to `most`. */
export async function countVisitsOf(db: Db, asked: Asked, most: number): Promise<Map<string, number>> {
  const rows = await db.execute<{ value: string; visits: number }>(sql`
    select w.value, (select count(*)::int from (select 1 from ${visitsOf(asked)} limit ${most}) found) as visits
    from unnest(${textArray(asked.values)}) w(value)`);
  return new Map([...rows].map(({ value, visits }) => [value, visits]));
}

/**
 * Counts the newest visits of each device or account in a range, up to `most` each, by step and by value of `other`.
 */
export async function seriesOfValues(
  db: Db,
  asked: Asked,
  { other, starts, most }: { other: FewValued | undefined; starts: readonly Date[]; most: number },
): Promise<SeriesRow[]> {
  const bounds = listedTimes(starts);
  const rows = await db.execute<SeriesRow>(sql`
    select width_bucket(v.recorded_at, ${bounds}) - 1 as step, w.value as first,
      ${other === undefined ? sql`''` : valueOf(other)} as second, ${VERDICTS}
    from unnest(${textArray(asked.values)}) w(value),
      lateral (select v.* from ${visitsOf(asked)} limit ${most}) v ${joinsOf(other === undefined ? [] : [other])}
    group by 1, 2, 3`);
  return [...rows];
}

/** Counts the accounts of each device, up to `most`. */
export async function countAccountsOfDevices(db: Db, workspaceId: string, values: readonly string[], most: number) {
  const rows = await db.execute<{ value: string; accounts: number }>(sql`
    select w.value, (select count(*)::int from (
      select 1 from device_accounts a where a.workspace_id = ${uuid(workspaceId)} and a.device_id = w.value::uuid
      limit ${most}) found) as accounts
    from unnest(${textArray(values)}) w(value)`);
  return new Map([...rows].map(({ value, accounts }) => [value, accounts]));
}

/** Counts the devices at each address, up to `most`, and their accounts. */
export async function countAccountsAtAddresses(db: Db, workspaceId: string, values: readonly string[], most: number) {
  const workspace = uuid(workspaceId);
  const rows = await db.execute<{ value: string; devices: number; accounts: number }>(sql`
    select w.value, count(distinct d.device_id)::int as devices, count(distinct a.account_hash)::int as accounts
    from unnest(${textArray(values)}) w(value)
    cross join lateral (
      select distinct device_id from device_addresses
      where workspace_id = ${workspace} and address = w.value::inet limit ${most}) d
    left join lateral (
      select account_hash from device_accounts
      where workspace_id = ${workspace} and device_id = d.device_id offset 0) a on true
    group by w.value`);
  return [...rows];
}
