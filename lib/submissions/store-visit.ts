import type { Db } from "@/db/client";
import { createEventStore, recordDeviceVisit } from "@/lib/devices";
import { useSubmission } from "@/lib/trials";
import { INSERT_VISIT, type NewVisit, visitValues } from "./queries";

const events = createEventStore(INSERT_VISIT);

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
  const [place, values] = [{ address, countryCode, now }, visitValues(visit)];
  if (!isTrial) {
    const outcome = await events.recordEvent(db, device, place, values);
    if (outcome !== "overtaken") return outcome === "recorded";
  }
  return db.transaction(async (tx) => {
    const deviceId = await recordDeviceVisit(tx, device);
    if (deviceId === undefined) return false;
    if (isTrial) await useSubmission(tx, workspaceId);
    await events.storeEvent(tx, { workspaceId, deviceId }, place, values);
    return true;
  });
}
