import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import { uuid } from "./queries-parts";

/** Counts up to `bound` visits, so that the cost does not depend on the size of the workspace. */
async function countVisits(db: Db, where: SQL, bound: number): Promise<number> {
  const [row] = await db.execute<{ visits: number }>(
    sql`select count(*)::int as visits from (select 1 from visits where ${where} limit ${bound}) found`,
  );
  return row?.visits ?? 0;
}

type Recent = { workspaceId: string; webAppId: string; origin: string | undefined; from: Date; bound: number };

/** Counts visits of a Web App since `from`, optionally of one origin only. */
export const countVisitsSince = (db: Db, { workspaceId, webAppId, origin, from, bound }: Recent): Promise<number> =>
  countVisits(
    db,
    sql`workspace_id = ${uuid(workspaceId)} and event_id >= ${eventIdFloor(from)}::uuid
      and web_app_id = ${uuid(webAppId)} ${origin === undefined ? sql`` : sql`and origin = ${origin}`}`,
    bound,
  );

/** Counts visits of a workspace before `to`. */
export const countVisitsBefore = (
  db: Db,
  { workspaceId, to, bound }: { workspaceId: string; to: Date; bound: number },
): Promise<number> =>
  countVisits(db, sql`workspace_id = ${uuid(workspaceId)} and event_id < ${eventIdFloor(to)}::uuid`, bound);
