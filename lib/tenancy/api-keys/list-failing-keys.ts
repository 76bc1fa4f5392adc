import { ERRORS } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { findFailing } from "./domain/failing-keys";
import { listKeys } from "./list-keys";
import { countUsesByCode } from "./queries-uses";

export type FailingKey = {
  keyId: string;
  name: string;
  state: "active" | "overlap" | "expired" | "revoked";
  refused: number;
  answered: number;
  /** Most frequent error code. */
  code: string;
};

/** Codes with status 404: a missing object is not a fault of the key. */
const UNKNOWN = new Set(Object.entries(ERRORS).flatMap(([code, { status }]) => (status === 404 ? [code] : [])));

/**
 * Keys whose calls were refused in the last 24 hours, most refusals first: expired or revoked keys still in use, and
 * usable keys with a significant share of refusals.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listFailingKeys(
  context: Context,
  { workspaceId }: { workspaceId: string },
): Promise<FailingKey[]> {
  await authorize(context, workspaceId, "apiKey.read");
  const [keys, uses] = await Promise.all([
    listKeys(context, { workspaceId }),
    countUsesByCode(context.db, workspaceId),
  ]);
  return findFailing(
    keys,
    uses.filter(({ code }) => !UNKNOWN.has(code)),
  );
}
