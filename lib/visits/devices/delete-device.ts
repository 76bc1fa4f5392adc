import { inBatches } from "@/db/batches";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { forgetDeviceInCases } from "@/lib/tenancy/cases";
import { forgetDeviceMessages } from "@/lib/tenancy/webhooks";
import { authorize } from "@/lib/tenancy/workspaces";
import { deleteDeviceRows, deleteVisitsOfDevice, lockDevice } from "@/lib/visits/visit-store";

const VISITS = 1_000;

/** One transaction per batch, unless `db` already is a transaction. */
function deleteVisits(
  db: Context["db"],
  workspaceId: string,
  deviceId: string,
  onDeleted: (visits: number) => void = () => undefined,
): Promise<number> {
  let total = 0;
  return inBatches(VISITS, async (limit) => {
    const deleted = await db.transaction((tx) => deleteVisitsOfDevice(tx, workspaceId, deviceId, limit));
    onDeleted((total += deleted));
    return deleted;
  });
}

/**
 * Deletes a device and everything that belongs to it: visits, Reports, signals, addresses, accounts, tokens and keys.
 * Metered usage stays counted and the audit log keeps the device's id. Safe to repeat after an interruption.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteDevice(
  context: Context,
  { workspaceId, deviceId }: { workspaceId: string; deviceId: string },
  onDeleted?: (visits: number) => void,
): Promise<{ deviceId: string; visits: number }> {
  await authorize(context, workspaceId, "data.delete");
  const unknown = () => new AppError("not_found", { message: "There is no such device" });
  if (!idPattern("device").test(deviceId)) throw unknown();
  // Deletes most visits in short transactions first, so that visits of other devices do not wait for a long one.
  const before = await deleteVisits(context.db, workspaceId, deviceId, onDeleted);
  return await context.db.transaction(async (tx) => {
    if (!(await lockDevice(tx, workspaceId, deviceId))) throw unknown();
    const visits = before + (await deleteVisits(tx, workspaceId, deviceId));
    await deleteDeviceRows(tx, workspaceId, deviceId);
    await forgetDeviceMessages(tx, workspaceId, deviceId);
    await forgetDeviceInCases(tx, workspaceId, deviceId);
    await recordAudit(tx, context, { workspaceId, action: "device.delete", target: deviceId, detail: { visits } });
    return { deviceId, visits };
  });
}
