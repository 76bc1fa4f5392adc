import { parseAddressRange } from "@/lib/platform/addresses";
import type { Context } from "@/lib/platform/context";
import { removeCaseItem } from "@/lib/tenancy/cases";
import { parseItem } from "./domain/parse-item";

/**
 * Takes something out of a case by what it is called: imprint, device, account, address or range. It stays as it is.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function takeFromCase(context: Context, input: { workspaceId: string; caseId: string; item: string }) {
  const { workspaceId, caseId } = input;
  const { kind, value } = parseItem(input.item);
  const stored = kind === "address" ? (parseAddressRange(value)?.text ?? value) : value;
  return await removeCaseItem(context, { workspaceId, caseId, kind, value: stored });
}
