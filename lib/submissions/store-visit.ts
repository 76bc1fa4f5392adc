import type { Db } from "@/db/client";
import { recordDeviceVisit, recordEvent, storeEvent } from "@/lib/devices";
import { useSubmission } from "@/lib/trials";
import { insertVisit, type NewVisit } from "./queries";

type DeviceVisit = Parameters<typeof recordDeviceVisit>[1];

/**
 * Uses the challenge up, appends the visit to its device and stores it with its Report: all of it or nothing. One
 * statement does it, unless another visit of the device comes in between, or a trial counts the submission with it.
 *
 * @returns false when the challenge was used before
 * @throws AppError environment_disabled, request_limit_reached
 */
export async function storeVisit(
  db: Db,
  { isTrial, now, device, visit }: { isTrial: boolean; now: Date; device: DeviceVisit; visit: NewVisit },
): Promise<boolean> {
  const { workspaceId, address, countryCode } = visit;
  const [place, store] = [{ address, countryCode, now }, insertVisit(visit)];
  if (!isTrial) {
    const outcome = await recordEvent(db, device, place, store);
    if (outcome !== "overtaken") return outcome === "recorded";
  }
  return db.transaction(async (tx) => {
    const deviceId = await recordDeviceVisit(tx, device);
    if (deviceId === undefined) return false;
    if (isTrial) await useSubmission(tx, workspaceId);
    await storeEvent(tx, { workspaceId, deviceId, place, store });
    return true;
  });
}
