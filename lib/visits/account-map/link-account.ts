import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { type Account, insertLink } from "@/lib/visits/visit-store";

/**
 * Links an account to the visit of an imprint. The first account wins; repeating the link changes nothing. However late
 * a link is made, it counts from the visit's own time.
 *
 * @throws AppError `account_ref_conflict`, `report_not_found`
 */
export async function linkAccount(db: Db, account: Account, imprint: string): Promise<void> {
  const outcome = await insertLink(db, account, imprint);
  if (outcome === undefined) throw new AppError("report_not_found");
  if (outcome === "conflict") throw new AppError("account_ref_conflict");
}
