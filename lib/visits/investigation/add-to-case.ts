import { AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { addItems, MAX_ITEMS_AT_ONCE } from "@/lib/tenancy/cases";
import { authorize } from "@/lib/tenancy/workspaces";
import { findItems } from "./find-items";

type Input = { workspaceId: string; caseId: string; items: readonly string[]; note?: string | undefined };

/**
 * Adds visits, devices, addresses and accounts to a case.
 *
 * @param input.items imprints, device ids, account ids, addresses or ranges
 * @returns number of items that were not in the case before
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`, `conflict`
 */
export async function addToCase(context: Context, { workspaceId, caseId, items, note = "" }: Input) {
  const access = await authorize(context, workspaceId, "case.write");
  if (!(items.length >= 1 && items.length <= MAX_ITEMS_AT_ONCE))
    throw new AppError("invalid_request", { message: `Add 1 to ${MAX_ITEMS_AT_ONCE} items at once` });
  return await addItems(context, { workspaceId, caseId, items: await findItems(context, access, items), note });
}
