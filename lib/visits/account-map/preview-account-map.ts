import type { Db } from "@/db/client";
import type { AccountMap } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { type Account, findPreview } from "@/lib/visits/visit-store";

/**
 * The Account Map that a visit would have if the account were linked to it now. Read-only.
 *
 * @returns undefined if the visit does not exist
 * @throws AppError `account_ref_conflict`
 */
export async function previewAccountMap(db: Db, account: Account, imprint: string): Promise<AccountMap | undefined> {
  const found = await findPreview(db, account, imprint);
  if (found === "conflict") throw new AppError("account_ref_conflict");
  return found;
}
