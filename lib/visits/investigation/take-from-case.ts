import { parseAddressRange } from "@/lib/platform/addresses";
import type { Context } from "@/lib/platform/context";
import { removeCaseItem } from "@/lib/tenancy/cases";
import { parseItem } from "./domain/parse-item";

/**
 * Removes an item from a case by imprint, device, account, address or range. The subject itself is not changed.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function takeFromCase(context: Context, input: { workspaceId: string; caseId: string; item: string }) {
  const { workspaceId, caseId } = input;
  const { kind, value } = parseItem(input.item);
  const stored = kind === "address" ? (parseAddressRange(value)?.text ?? value) : value;
  return await removeCaseItem(context, { workspaceId, caseId, kind, value: stored });
}
