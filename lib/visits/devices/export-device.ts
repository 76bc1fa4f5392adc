import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { uuidToId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import type { Label } from "@/lib/contract/labels";
import { findLabels, listAddresses, listStoredVisits, type VisitPosition } from "@/lib/visits/visit-store";
import { readDevice } from "./read-device";

const PAGE = 200;

/** A visit with all data stored about it. */
type StoredVisit = {
  imprint: string;
  recorded_at: string;
  surface: string;
  origin: string;
  /** Hash under which the submitted account is stored; the account reference itself is not kept. */
  account_hash: string | null;
  /** Label that people gave the visit itself. */
  label: Label | null;
  report: unknown;
  evidence: unknown;
  /** Null after the retention of raw signals. */
  signals: unknown;
};

export type DeviceExport = {
  device: Record<string, unknown>;
  visits: AsyncGenerator<StoredVisit[]>;
};

/**
 * Exports everything stored about a device, for data subject requests. Visits come in pages, oldest first. The export
 * is recorded in the audit log.
 * @throws AppError `not_found`, `forbidden` (also if the actor may not see addresses)
 */
export async function exportDevice(
  context: Context,
  { workspaceId, deviceId }: { workspaceId: string; deviceId: string },
): Promise<DeviceExport> {
  await authorize(context, workspaceId, "device.export");
  const device = await readDevice(context, { workspaceId, deviceId });
  const addresses = await listAddresses(context.db, workspaceId, deviceId);
  const [labelled] = await findLabels(context.db, [{ workspaceId, kind: "device", id: deviceId }]);
  await recordAudit(context.db, context, { workspaceId, action: "export.create", target: deviceId });
  async function* visits() {
    let after: VisitPosition | undefined;
    do {
      const rows = await listStoredVisits(context.db, workspaceId, deviceId, { after, limit: PAGE });
      const imprintOf = (row: { event_id: string }) => uuidToId("imprint", row.event_id);
      const subjects = rows.map((row) => ({ workspaceId, kind: "visit" as const, id: imprintOf(row) }));
      const labels = new Map((await findLabels(context.db, subjects)).map(({ id, label }) => [id, label]));
      yield rows.map(({ event_id, recorded, account, report, ...visit }): StoredVisit => ({
        imprint: imprintOf({ event_id }),
        recorded_at: recorded,
        ...visit,
        account_hash: account,
        label: labels.get(imprintOf({ event_id })) ?? null,
        report: JSON.parse(report) as unknown,
      }));
      after = rows.length === PAGE ? rows.at(-1) : undefined;
    } while (after);
  }
  return {
    device: {
      device_id: device.deviceId,
      first_seen_at: device.firstSeenAt.toISOString(),
      last_seen_at: device.lastSeenAt.toISOString(),
      visits: device.visits,
      browser_family: device.browserFamily,
      system_family: device.systemFamily,
      label: labelled?.label ?? null,
      addresses: addresses.map(({ address, country_code, first_seen, last_seen }) => ({
        address,
        country_code: country_code === "" ? null : country_code,
        first_seen_at: first_seen,
        last_seen_at: last_seen,
      })),
    },
    visits: visits(),
  };
}
