import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { latestEnd } from "./domain/latest-end";
import { type Overlap, OVERLAP_SECONDS } from "./domain/overlap";
import { lockStoredKey } from "./lock-stored-key";
import { listKeyRows, setOverlapEnd } from "./queries";

type ExtendOverlap = { workspaceId: string; keyId: string; overlap: Exclude<Overlap, "0"> };

/**
 * Restarts the overlap of a replaced key from now, limited by the key's original expiry. Never shortens an overlap.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` if the key is not in overlap, or is already accepted for longer
 */
export async function extendOverlap(context: Context, { workspaceId, keyId, overlap }: ExtendOverlap) {
  await authorize(context, workspaceId, "apiKey.issue");
  return await context.db.transaction(async (tx) => {
    const key = await lockStoredKey(tx, workspaceId, keyId);
    if (key.state !== "overlap" || key.expiresAt === null)
      throw new AppError("conflict", { message: `This key is not in overlap: it is ${key.state}` });
    const latest = latestEnd(keyId, await listKeyRows(tx, workspaceId));
    const overlapEndsAt = await setOverlapEnd(tx, workspaceId, keyId, { seconds: OVERLAP_SECONDS[overlap], latest });
    if (overlapEndsAt === null || overlapEndsAt <= key.expiresAt)
      throw new AppError("conflict", {
        message: `The key is already accepted until ${key.expiresAt.toISOString()}, and this would not extend it`,
      });
    await recordAudit(tx, context, {
      workspaceId,
      action: "api_key.extend_overlap",
      target: keyId,
      detail: { overlap, from: key.expiresAt.toISOString(), to: overlapEndsAt.toISOString() },
    });
    return { keyId, overlapEndsAt };
  });
}
