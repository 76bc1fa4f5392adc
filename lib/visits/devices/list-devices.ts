import { type Context, onReader } from "@/lib/platform/context";
import { isTimestamp } from "@/lib/platform/calendar";
import { AppError } from "@/lib/contract/errors";
import { idPattern, uuidToId } from "@/lib/contract/ids";
import { canonicalAddress, parseAddressRange } from "@/lib/platform/addresses";
import { authorize, requireAddresses } from "@/lib/tenancy/workspaces";
import {
  type AddressPosition,
  type DevicePosition,
  type DeviceSummary,
  listAddressesOf,
  listSeenDevices,
  sumRange,
  summariseDevices,
} from "@/lib/visits/visit-store";

const PAGE = 50;
const PAGE_OF_ADDRESSES = 25;

const formatCursor = ({ at, deviceId }: DevicePosition) => `${at.replace(" ", "T")}~${deviceId}`;

function parseCursor(cursor: string | undefined): DevicePosition | undefined {
  if (cursor === undefined) return undefined;
  const [at, deviceId] = cursor.split("~");
  if (at === undefined || deviceId === undefined || !isTimestamp(at) || !idPattern("device").test(deviceId))
    throw new AppError("invalid_request", { message: "cursor: not one of this list" });
  return { at, deviceId };
}

const formatAddressCursor = ({ at, address, countryCode }: AddressPosition) =>
  `${at.replace(" ", "T")}~${address}~${countryCode}`;

function parseAddressCursor(cursor: string | undefined): AddressPosition | undefined {
  if (cursor === undefined) return undefined;
  const [at = "", address = "", countryCode = ""] = cursor.split("~");
  if (isTimestamp(at) && canonicalAddress(address) !== undefined && /^(?:[A-Z]{2})?$/.test(countryCode))
    return { at, address, countryCode };
  throw new AppError("invalid_request", { message: "cursor: not one of this list" });
}

/**
 * Lists a workspace's devices, most recently seen first, in pages.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function listDevices(
  context: Context,
  input: { workspaceId: string; before?: string | undefined },
): Promise<{ devices: DeviceSummary[]; older: string | null }> {
  await authorize(context, input.workspaceId, "report.read");
  const before = parseCursor(input.before);
  const rows = await listSeenDevices(onReader(context).db, input.workspaceId, { before, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  return {
    devices: page.map(({ device }) => device),
    older: rows.length > PAGE && last ? formatCursor(last.position) : null,
  };
}

/**
 * Reads summaries of the given devices.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readDevices(
  context: Context,
  input: { workspaceId: string; deviceIds: readonly string[] },
): Promise<DeviceSummary[]> {
  await authorize(context, input.workspaceId, "report.read");
  return await summariseDevices(
    onReader(context).db,
    input.workspaceId,
    input.deviceIds.filter((id) => idPattern("device").test(id)),
  );
}

/**
 * Lists the devices seen at an address or in a range, most recent first, in pages.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function readAddress(
  context: Context,
  input: { workspaceId: string; address: string; before?: string | undefined },
) {
  const { workspaceId } = input;
  requireAddresses(await authorize(context, workspaceId, "report.read"));
  const range = parseAddressRange(input.address);
  if (!range) throw new AppError("invalid_request", { message: "Expected an address or a range" });
  const { db } = onReader(context);
  const found = await sumRange(db, workspaceId, range, { before: parseCursor(input.before), limit: PAGE + 1 });
  const shown = found.newest.slice(0, PAGE).map(([uuid, at]) => ({ deviceId: uuidToId("device", uuid), at }));
  const newest = shown.map(({ deviceId }) => deviceId);
  const last = shown.at(-1);
  const summaries = await summariseDevices(db, workspaceId, newest);
  const byId = new Map(summaries.map((device) => [device.deviceId, device]));
  return {
    range: range.text,
    isSingle: range.first === range.last,
    deviceCount: found.devices,
    addressCount: found.addresses,
    /** Whether the range has more rows than were read, which makes the counts lower bounds. */
    isTruncated: found.is_bounded,
    countries: found.countries.map(([countryCode, devices]) => ({ countryCode, devices })),
    devices: newest.flatMap((id) => byId.get(id) ?? []),
    older: found.newest.length > PAGE && last ? formatCursor(last) : null,
  };
}

/**
 * Lists the addresses at which a device was seen, most recent first, in pages.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function listDeviceAddresses(
  context: Context,
  input: { workspaceId: string; deviceId: string; before?: string | undefined },
) {
  requireAddresses(await authorize(context, input.workspaceId, "report.read"));
  if (!idPattern("device").test(input.deviceId)) throw new AppError("not_found");
  const page = { before: parseAddressCursor(input.before), limit: PAGE_OF_ADDRESSES + 1 };
  const rows = await listAddressesOf(onReader(context).db, input.workspaceId, input.deviceId, page);
  const shown = rows.slice(0, PAGE_OF_ADDRESSES);
  const last = shown.at(-1);
  return {
    addresses: shown,
    older: rows.length > PAGE_OF_ADDRESSES && last ? formatAddressCursor(last.position) : null,
  };
}
