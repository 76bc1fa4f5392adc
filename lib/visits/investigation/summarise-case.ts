import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { collectNewest } from "./collect-evidence";
import type { ItemKind } from "@/lib/tenancy/cases";

/** Maximum number of visits counted for a page, per item and in total. The export has more. */
const BOUND = 500;

/**
 * Summarises what the items of a case involve, over their newest visits, for a page.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function summariseCase(
  context: Context,
  { workspaceId, items }: { workspaceId: string; items: readonly { kind: ItemKind; value: string | undefined }[] },
) {
  const access = await authorize(context, workspaceId, "case.read");
  const known = items.flatMap(({ kind, value }) => (value === undefined ? [] : [{ kind, value }]));
  return await collectNewest(context, access, known, BOUND);
}
