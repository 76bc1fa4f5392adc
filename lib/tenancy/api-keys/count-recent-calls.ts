import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { requireKey } from "./list-keys";
import { countRecentUses } from "./queries-uses";

/**
 * Number of answered calls with a key in this hour and the previous one: what would fail if the key were revoked.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function countRecentCalls(
  context: Context,
  { workspaceId, keyId }: { workspaceId: string; keyId: string },
): Promise<{ calls: number; since: Date }> {
  await authorize(context, workspaceId, "apiKey.read");
  await requireKey(context, { workspaceId, keyId });
  const found = await countRecentUses(context.db, workspaceId, keyId);
  return found ?? { calls: 0, since: context.now };
}
