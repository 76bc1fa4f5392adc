import { AppError } from "@/lib/contract/errors";
import type { Context } from "@/lib/platform/context";
import { addItems, createCase, MAX_ITEMS_AT_ONCE } from "@/lib/tenancy/cases";
import { authorize } from "@/lib/tenancy/workspaces";
import { findItems } from "./find-items";

type Input = { workspaceId: string; name: string; items: readonly string[]; note?: string | undefined };

/**
 * Opens a case with its first items. Nothing is created if one of them does not exist or is not visible to the actor.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`, `conflict`
 */
export async function openCase(context: Context, { workspaceId, name, items, note = "" }: Input) {
  const access = await authorize(context, workspaceId, "case.write");
  if (items.length > MAX_ITEMS_AT_ONCE)
    throw new AppError("invalid_request", { message: `Add at most ${MAX_ITEMS_AT_ONCE} items at once` });
  const found = await findItems(context, access, items);
  const opened = await createCase(context, { workspaceId, name });
  const { added } = await addItems(context, { workspaceId, caseId: opened.caseId, items: found, note });
  return { ...opened, added };
}
