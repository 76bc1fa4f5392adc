import { inBatches } from "@/db/batches";
import type { Db } from "@/db/client";
import { REMEMBERED_VISITS } from "./domain/evaluate-repeat";
import { deletePayloadObservations } from "@/lib/visits/visit-store";
import { DAY_MS } from "@/lib/platform/calendar";

/** Retention of observations, unless the workspace's visits have a shorter one. */
const OBSERVATIONS_KEPT_DAYS = 30;
const BATCH = 5_000;

/** Deletes a workspace's payload observations that are older than `days` or exceed the newest `kept`. */
export async function purgePayloadObservations(
  db: Db,
  workspaceId: string,
  { now, days, signal, kept = REMEMBERED_VISITS }: { now: Date; days: number; signal: AbortSignal; kept?: number },
): Promise<void> {
  const before = new Date(now.getTime() - Math.min(days, OBSERVATIONS_KEPT_DAYS) * DAY_MS);
  await inBatches(BATCH, (limit) => deletePayloadObservations(db, { workspaceId, before, kept, limit }), signal);
}
