import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";
import { PLAN_LIMITS, type Plan } from "@/lib/workspaces";
import { findReport, meterDelivery } from "./queries";

/** Who is served: a key, or a person's client that reads on behalf of a workspace. */
type Recipient = { workspaceId: string; keyId?: string; plan: Plan };

/**
 * The canonical Report of an imprint, as the JSON text that was stored with the visit. Its first delivery uses one
 * report unit; every other outcome uses none. Safe to repeat after a lost answer.
 *
 * @throws AppError report_not_found, quota_exhausted
 */
export async function deliverReport(
  { db }: Pick<Context, "db">,
  recipient: Recipient,
  imprint: string,
): Promise<string> {
  const found = await findReport(db, recipient.workspaceId, imprint);
  if (!found) throw new AppError("report_not_found");
  if (found.isDelivered) return found.report;
  const { reportUnits } = PLAN_LIMITS[recipient.plan];
  const isWithinQuota = await meterDelivery(db, recipient.workspaceId, imprint, {
    keyId: recipient.keyId,
    unitsLimit: reportUnits,
  });
  if (!isWithinQuota) throw new AppError("quota_exhausted");
  return found.report;
}
