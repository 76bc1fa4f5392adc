import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { deviceClaims } from "@/db/schema";
import { idToUuid, uuidToId } from "@/lib/ids";
import type { Population } from "./domain/population";
import type { DeviceProfile } from "./domain/profile";

/** A workspace is counted again at most once a minute, a large one after a second for each thousand devices. */
const LEAST_SECONDS = 60;
const DEVICES_PER_SECOND = 1_000;

/** Workspaces after one of them, in order, whose devices were active since they were last counted. */
export async function listUncountedWorkspaces(db: Db, after: string | undefined, limit: number): Promise<string[]> {
  const rows = await db.execute<{ workspace_id: string }>(sql`
    select w.workspace_id from workspaces w left join device_populations p on p.workspace_id = w.workspace_id
    where (${after === undefined ? null : idToUuid(after)}::uuid is null or w.workspace_id > ${after === undefined ? null : idToUuid(after)}::uuid)
      and (p.counted_at is null
        or p.counted_at < clock_timestamp() - make_interval(secs => greatest(${LEAST_SECONDS}, p.devices / ${DEVICES_PER_SECOND})))
      and exists (select 1 from devices d where d.workspace_id = w.workspace_id
        and d.last_recorded_at > coalesce(p.counted_at, '-infinity'))
    order by w.workspace_id limit ${limit}`);
  return rows.map((row) => uuidToId("workspace", row.workspace_id));
}

/** The number of devices, and the profiles of those that came last. */
export async function findPopulationSample(db: Db, workspaceId: string, sampleSize: number) {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  const [row] = await db.execute<{ devices: number; profiles: DeviceProfile[] | null }>(sql`
    select (select count(*)::int from devices where workspace_id = ${workspace}) as devices,
      (select json_agg(p.profile) from (
        select device_id from devices where workspace_id = ${workspace} order by last_recorded_at desc limit ${sampleSize}) d
        join device_profiles p on p.workspace_id = ${workspace} and p.device_id = d.device_id) as profiles`);
  return { devices: row?.devices ?? 0, profiles: row?.profiles ?? [] };
}

export async function savePopulation(db: Db, workspaceId: string, { devices, ...counts }: Population): Promise<void> {
  await db.execute(sql`
    insert into device_populations (workspace_id, devices, counts, counted_at)
    values (${idToUuid(workspaceId)}::uuid, ${devices}, ${JSON.stringify(counts)}::jsonb, clock_timestamp())
    on conflict (workspace_id) do update
    set devices = excluded.devices, counts = excluded.counts, counted_at = excluded.counted_at`);
}

/** Deletes one batch of claims that no longer count; the number deleted. */
export async function deleteOldClaims(db: Db, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from ${deviceClaims} where ctid = any (array(
      select ctid from ${deviceClaims} where claimed_at < now() - interval '10 minutes' limit ${limit}))
    returning 1`);
  return rows.length;
}
