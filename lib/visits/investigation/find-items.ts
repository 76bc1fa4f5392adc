import { AppError } from "@/lib/contract/errors";
import { type AddressRange, parseAddressRange } from "@/lib/platform/addresses";
import type { Context } from "@/lib/platform/context";
import type { CaseItem } from "@/lib/tenancy/cases";
import { type Access, requireAddresses } from "@/lib/tenancy/workspaces";
import { authorizeAccounts } from "@/lib/visits/account-map";
import { findDevicesOfVisits, findKnownDevices, hasAccount, listDevicesAt } from "@/lib/visits/visit-store";
import { type NamedItem, parseItem } from "./domain/parse-item";

const missing = (text: string) => new AppError("not_found", { message: `This workspace has no data on ${text}` });

/**
 * Parses an address range and checks that the actor may see addresses.
 *
 * @throws AppError `forbidden`, `invalid_request`
 */
export function requireRange(access: Access, text: string): AddressRange {
  requireAddresses(access);
  const range = parseAddressRange(text);
  if (range) return range;
  throw new AppError("invalid_request", {
    message: "Enter an imprint (imp_…), a device (dev_…), an account (acc_…), or an address such as 203.0.113.7",
  });
}

async function findOther(context: Context, access: Access, item: NamedItem): Promise<CaseItem> {
  const { workspaceId } = access;
  if (item.kind === "account") {
    await authorizeAccounts(context, workspaceId);
    if (!(await hasAccount(context.db, workspaceId, item.value))) throw missing(item.value);
    return { kind: item.kind, value: item.value, deviceId: undefined };
  }
  const range = requireRange(access, item.value);
  const devices = await listDevicesAt(context.db, workspaceId, range, 1);
  if (devices?.length === 0) throw missing(range.text);
  return { kind: "address", value: range.text, deviceId: undefined };
}

const valuesOf = (items: readonly NamedItem[], kind: "visit" | "device"): string[] =>
  items.flatMap((item) => (item.kind === kind ? [item.value] : []));

/**
 * Resolves texts to items of a workspace, in order and without duplicates. All of them must exist and be visible to the
 * actor.
 *
 * @throws AppError `not_found`, `forbidden`, `account_map_not_allowed`, `invalid_request`
 */
export async function findItems(context: Context, access: Access, texts: readonly string[]): Promise<CaseItem[]> {
  const { workspaceId } = access;
  const named = [...new Set(texts)].map(parseItem);
  const [devicesOfVisits, devices] = await Promise.all([
    findDevicesOfVisits(context.db, workspaceId, valuesOf(named, "visit")),
    findKnownDevices(context.db, workspaceId, valuesOf(named, "device")),
  ]);
  const items: CaseItem[] = [];
  for (const item of named) {
    if (item.kind === "visit") {
      const deviceId = devicesOfVisits.get(item.value);
      if (deviceId === undefined) throw missing(item.value);
      items.push({ kind: item.kind, value: item.value, deviceId });
    } else if (item.kind === "device") {
      if (!devices.has(item.value)) throw missing(item.value);
      items.push({ kind: item.kind, value: item.value, deviceId: item.value });
    } else items.push(await findOther(context, access, item));
  }
  return items;
}
