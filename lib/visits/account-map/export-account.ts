import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { uuidToId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import { identifyAccount } from "./identify-account";
import { findLabels, listAccountDevices, listAccountVisits } from "@/lib/visits/visit-store";

/** Maximum number of visits in an export; beyond that it is marked as truncated. */
const MAX_VISITS = 100_000;

/**
 * Exports everything stored about an account: the devices on which it appeared and the visits linked to it. Data about
 * a device is exported with the device.
 *
 * @throws AppError not_found, forbidden, invalid_account_ref
 */
export async function exportAccount(context: Context, input: { workspaceId: string; accountRef: string }) {
  const { workspaceId, accountRef } = input;
  await authorize(context, workspaceId, "data.export");
  const account = await identifyAccount(context.db, workspaceId, accountRef);
  const hash = Buffer.from(account.hash).toString("hex");
  const [devices, visits, [labelled]] = await Promise.all([
    listAccountDevices(context.db, account),
    listAccountVisits(context.db, account, MAX_VISITS + 1),
    findLabels(context.db, [{ workspaceId, kind: "account", id: uuidToId("account", hash) }]),
  ]);
  await recordAudit(context.db, context, { workspaceId, action: "export.create", target: "account" });
  return {
    /** False if nothing is stored, for example because the reference has a typo. */
    known: devices.length > 0 || visits.length > 0 || labelled !== undefined,
    account_hash: hash,
    label: labelled?.label ?? null,
    devices: devices.map(({ device_id, first_recorded }) => ({
      device_id: uuidToId("device", device_id),
      first_seen_at: first_recorded,
    })),
    visits: visits.slice(0, MAX_VISITS).map(({ event_id, device_id, recorded }) => ({
      imprint: uuidToId("imprint", event_id),
      device_id: uuidToId("device", device_id),
      recorded_at: recorded,
    })),
    truncated: visits.length > MAX_VISITS,
  };
}
