import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { requireKey } from "./list-keys";
import { listUseRows } from "./queries-uses";

const MAX_ROWS = 200;

type StoredUse = Awaited<ReturnType<typeof listUseRows>>[number];
/** Without the IP address for members who may not see it. */
type ShownUse = Omit<StoredUse, "address"> & Partial<Pick<StoredUse, "address">>;

/**
 * Callers of a key in the last 30 days, answered or refused, most recent hour first. Includes calls made after the key was
 * revoked or expired. IP addresses are omitted for members who may not see them.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readKeyUses(context: Context, input: { workspaceId: string; keyId: string }) {
  const { workspaceId } = input;
  const { canSeeAddresses } = await authorize(context, workspaceId, "apiKey.read");
  const { keyId } = await requireKey(context, input);
  const rows = await listUseRows(context.db, workspaceId, keyId, MAX_ROWS);
  const uses = rows.map(({ address, ...use }): ShownUse => (canSeeAddresses ? { ...use, address } : use));
  return { uses, addressesVisible: canSeeAddresses };
}
