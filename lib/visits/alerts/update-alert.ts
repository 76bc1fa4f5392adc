import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { formatTimeOfDay } from "./domain/quiet-hours";
import { lockOwnAlert } from "./lock-own-alert";
import { type AlertRow, updateAlert as storeAlert } from "./queries";
import { type AlertInput, requireAlert, requireMembers } from "./require-alert";

type Given = { [Key in Exclude<keyof AlertInput, "workspaceId">]?: AlertInput[Key] | undefined };
type Input = { workspaceId: string; alertId: string } & Given;

const timeOf = (minute: number | null) => (minute === null ? null : formatTimeOfDay(minute));

/** Completes a change with the stored values. */
const merge = (stored: AlertRow, given: Input): AlertInput => ({
  workspaceId: given.workspaceId,
  viewId: given.viewId ?? stored.viewId,
  name: given.name ?? stored.name,
  condition: given.condition ?? stored.condition,
  threshold: given.threshold ?? stored.threshold,
  windowMinutes: given.windowMinutes ?? stored.windowMinutes,
  mailTo: given.mailTo ?? stored.mailTo,
  quietFrom: given.quietFrom === undefined ? timeOf(stored.quietFrom) : given.quietFrom,
  quietTo: given.quietTo === undefined ? timeOf(stored.quietTo) : given.quietTo,
  zone: given.zone ?? stored.zone,
});

const COUNTED = ["viewId", "condition", "threshold", "windowMinutes"] as const;

/**
 * Changes an alert. For an alert of somebody else, the actor needs the permission to manage views. If anything that
 * affects the count changes, an open incident ends and the alert is checked again within a minute.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function updateAlert(context: Context, input: Input) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "alert.manage");
  return await context.db.transaction(async (tx) => {
    const ofAlert = { ...context, db: tx };
    const stored = await lockOwnAlert(context, tx, input);
    const alert = await requireAlert(ofAlert, merge(stored, input), stored.viewId);
    // Stored recipients may include former members.
    const mailTo = input.mailTo ? await requireMembers(ofAlert, workspaceId, input.mailTo) : stored.mailTo;
    const isOther = COUNTED.some((key) => alert[key] !== stored[key]);
    const isOpen = stored.openedAt !== null && stored.closedAt === null;
    await storeAlert(tx, stored, {
      ...{ ...alert, mailTo },
      ...(isOther && { checkedAt: null, noticeDueAt: null, ...(isOpen && { closedAt: context.now }) }),
    });
    const { alertId } = stored;
    const { name, viewId, condition, threshold, windowMinutes } = alert;
    const detail = { name, view: viewId, condition, threshold, window_minutes: windowMinutes };
    await recordAudit(tx, context, { workspaceId, action: "alert.update", target: alertId, detail });
    return { alertId, name };
  });
}
