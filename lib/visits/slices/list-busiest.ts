import { PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { uuidToId } from "@/lib/contract/ids";
import { type Context, onReader } from "@/lib/platform/context";
import { countAccountsAtAddresses, countAccountsOfDevices, sumSlices } from "@/lib/visits/visit-store";
import type { Range } from "./domain/slice-range";
import { authorizeDimensions, readableRange } from "./explore";

/** Number of devices and addresses, by most visits in the range, whose accounts are counted. */
const LOOKED_AT = 100;
const SHOWN = 5;
const MAX_ACCOUNTS = 1_000;
const MAX_DEVICES = 200;

export type Busiest = {
  devices: { deviceId: string; accounts: number }[];
  /** Absent for members who may not see addresses. */
  addresses?: { address: string; devices: number; accounts: number }[];
};

/**
 * Lists those with the most accounts among the devices and addresses with the most visits in a range. Undefined for
 * plans without Account Map.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listBusiest(
  context: Context,
  { workspaceId, ...asked }: Range & { workspaceId: string },
): Promise<Busiest | undefined> {
  const access = await authorizeDimensions(context, workspaceId, []);
  if (!PLAN_LIMITS[access.plan].hasAccountMap) return undefined;
  const reading = onReader(context);
  const { db } = reading;
  const { range } = await readableRange(reading, workspaceId, asked);
  const most = async (dimension: "device" | "address") => {
    const counted = { workspaceId, dimensions: [dimension] as const, ...range, byHour: false };
    const { rows } = await sumSlices(db, counted, { order: "visits", limit: LOOKED_AT });
    return rows.map(({ first }) => first);
  };
  const [devices, addresses] = await Promise.all([
    most("device").then((values) => countAccountsOfDevices(db, workspaceId, values, MAX_ACCOUNTS)),
    access.canSeeAddresses
      ? most("address").then((values) => countAccountsAtAddresses(db, workspaceId, values, MAX_DEVICES))
      : undefined,
  ]);
  const hasMany = ({ accounts }: { accounts: number }) => accounts > 1;
  return {
    devices: [...devices]
      .map(([value, accounts]) => ({ deviceId: uuidToId("device", value), accounts }))
      .filter(hasMany)
      .sort((a, b) => b.accounts - a.accounts)
      .slice(0, SHOWN),
    ...(addresses
      ? {
          addresses: addresses
            .filter(hasMany)
            .sort((a, b) => b.accounts - a.accounts)
            .slice(0, SHOWN)
            .map(({ value, devices: count, accounts }) => ({ address: value, devices: count, accounts })),
        }
      : {}),
  };
}
