import { AppError } from "@/lib/contract/errors";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, requireAddresses } from "@/lib/tenancy/workspaces";
import type { ItemKind } from "./domain/case";
import { recordEntries } from "./entry";
import { lockCase } from "./lock-case";
import { updateCase } from "./queries";
import { removeItem } from "./queries-items";

/**
 * Removes an item from a case. The object itself is not affected, and the case's history keeps a record of it.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function removeCaseItem(
  context: Context,
  input: { workspaceId: string; caseId: string; kind: ItemKind; value: string },
) {
  const { workspaceId, caseId, kind } = input;
  const access = await authorize(context, workspaceId, "case.write");
  if (kind === "address") requireAddresses(access);
  await context.db.transaction(async (tx) => {
    await lockCase(tx, input);
    const item = await removeItem(tx, input);
    if (!item) throw new AppError("not_found", { message: "The case does not contain this item" });
    await updateCase(tx, workspaceId, caseId);
    await recordEntries(tx, context, input, [{ kind: "removed", item }]);
    await recordAudit(tx, context, { workspaceId, action: "case.remove", target: caseId, detail: { kind } });
  });
  return { caseId };
}
