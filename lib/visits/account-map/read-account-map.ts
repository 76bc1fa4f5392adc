import type { Db } from "@/db/client";
import type { AccountMap } from "@/lib/contract/report";
import { AppError } from "@/lib/contract/errors";
import { type Account, findStatistics } from "@/lib/visits/visit-store";

/**
 * Reads the current Account Map of a visit that the account is linked to. Undefined if no account is linked. Takes one
 * round trip.
 *
 * @throws AppError `account_ref_conflict`
 */
export async function readAccountMap(db: Db, account: Account, imprint: string): Promise<AccountMap | undefined> {
  const found = await findStatistics(db, account, imprint);
  if (found === "conflict") throw new AppError("account_ref_conflict");
  return found;
}
