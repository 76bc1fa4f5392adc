import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { idPattern, uuidToId } from "@/lib/contract/ids";
import { authorize, roleHas } from "@/lib/tenancy/workspaces";
import { findDevice, listLinks } from "@/lib/visits/visit-store";
import type { IdentityRecord } from "./domain/recognition";

export type DeviceView = {
  deviceId: string;
  firstSeenAt: Date;
  lastSeenAt: Date;
  visits: number;
  browserFamily: string;
  systemFamily: string;
  addresses: number;
  /** Number of browser storages with a token of this device: 1 unless the token was cleared or shared. */
  tokens: number;
  /** How the device's latest visits were assigned to it, newest first. */
  links: { imprint: string; at: Date; identity: IdentityRecord | undefined }[];
  mayDelete: boolean;
};

const LINKS = 20;

/**
 * Reads what is known about a device, for people.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readDevice(
  context: Context,
  { workspaceId, deviceId }: { workspaceId: string; deviceId: string },
): Promise<DeviceView> {
  const access = await authorize(context, workspaceId, "report.read");
  const row = idPattern("device").test(deviceId) ? await findDevice(context.db, workspaceId, deviceId) : undefined;
  if (!row) throw new AppError("not_found", { message: "There is no such device" });
  const links = await listLinks(context.db, workspaceId, deviceId, LINKS);
  return {
    deviceId,
    firstSeenAt: new Date(Number(row.first_ms)),
    lastSeenAt: new Date(Number(row.last_ms)),
    visits: row.access_count,
    browserFamily: row.browser_family,
    systemFamily: row.os_family,
    addresses: row.addresses,
    tokens: row.tokens,
    links: links.map((link) => ({
      imprint: uuidToId("imprint", link.event_id),
      at: new Date(Number(link.recorded_ms)),
      identity: link.identity ?? undefined,
    })),
    mayDelete: access.role === undefined || roleHas(access.role, "data.delete"),
  };
}
