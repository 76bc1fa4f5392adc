import type { Db } from "@/db/client";
import { shownOrigin } from "./domain/refused-origin";
import { countKnownRefusal, insertRefusal, lockRefusals } from "./queries-refused";

/** Distinct origins stored per Web App and hour. */
const MAX_DISTINCT = 100;

/** Counts a submission refused for its origin; beyond `MAX_DISTINCT` origins an hour, under `*`. */
export async function recordRefusedOrigin(
  db: Db,
  { workspaceId, webAppId, origin }: { workspaceId: string; webAppId: string; origin: string | undefined },
): Promise<void> {
  const key = { workspaceId, webAppId };
  const shown = shownOrigin(origin);
  if (await countKnownRefusal(db, key, shown, MAX_DISTINCT)) return;
  await db.transaction(async (tx) => {
    await lockRefusals(tx, key);
    if (await countKnownRefusal(tx, key, shown, MAX_DISTINCT)) return;
    await insertRefusal(tx, key, shown, MAX_DISTINCT);
  });
}
