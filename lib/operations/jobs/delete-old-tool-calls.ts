import { deleteToolCallsOlderThan, TOOL_CALL_DAYS } from "@/lib/interfaces/oauth";
import type { JobRun } from "./job";

const BATCH = 5_000;

/** Deletes what the log of tool calls no longer shows: it names visits, and is not kept for longer than they are. */
export async function deleteOldToolCalls({ db, signal }: Pick<JobRun, "db" | "signal">): Promise<void> {
  for (let deleted = BATCH; deleted === BATCH && !signal.aborted;)
    deleted = await deleteToolCallsOlderThan(db, TOOL_CALL_DAYS, BATCH);
}
