import { ensurePartitions } from "@/db/partitions";
import { identifyAccount } from "@/lib/visits/account-map";
import { recordAudit } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { addUnits, insertDeliveries, insertUsageDays, markFolded } from "@/lib/metering";
import { dateDemoKey, insertDemoUses } from "@/lib/tenancy/api-keys";
import { createWebApp, dateDemoWebApp, insertRefusedOrigins } from "@/lib/tenancy/web-apps";
import { authorize } from "@/lib/tenancy/workspaces";
import { recountSlices } from "@/lib/visits/slices";
import { countPopulationOf } from "@/lib/visits/devices";
import { hasVisits, insertDemoVisits } from "@/lib/visits/visit-store";
import { composeVisits } from "./compose-visits";
import {
  accountRows,
  addressRows,
  type DeliveryRow,
  deliveryRows,
  deviceRow,
  type DemoSite,
  refusedRows,
  unitsOf,
  usageRows,
  visitRow,
} from "./demo-rows";
import { labelRows } from "./demo-labels";
import { keyUseRows, lastUses } from "./key-rows";
import { recognitionRows } from "./recognition-rows";
import { createChance } from "./domain/chance";
import { DAY_MS } from "@/lib/platform/calendar";
import { type PlannedVisit, planVisits, SHARED_ACCOUNT } from "./plan-visits";

const MAX_DAYS = 365;
const DEFAULT_DAYS = 90;
const DEFAULT_SEED = 1;

type Input = {
  workspaceId: string;
  days?: number | undefined;
  seed?: number | undefined;
  isForced?: boolean;
  /** Called with the progress in per cent. */
  onProgress?: (percent: number) => Promise<void> | void;
};

/** @throws AppError `invalid_request` */
export function requireDays(days = DEFAULT_DAYS): number {
  if (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS) return days;
  throw new AppError("invalid_request", { message: `days: expected 1 to ${MAX_DAYS}` });
}

async function createSite(context: Context, workspaceId: string): Promise<DemoSite> {
  const make = async (name: string, origin: string) => {
    const { webAppId, keyId } = await createWebApp(context, { workspaceId, name, origins: [origin] });
    return { webAppId, keyId, origin };
  };
  return {
    workspaceId,
    webApps: [await make("Demo shop", "https://shop.example"), await make("Demo account", "https://account.example")],
  };
}

/** Backdates Web Apps and keys to before their data, and sets when the keys were last used. */
async function dateSite(
  { db, now }: Context,
  place: DemoSite,
  { createdAt, deliveries }: { createdAt: Date; deliveries: readonly DeliveryRow[] },
): Promise<void> {
  const { workspaceId } = place;
  for (const { webAppId } of place.webApps) await dateDemoWebApp(db, { workspaceId, webAppId, createdAt });
  for (const { keyId, lastUsedAt } of lastUses(place, deliveries))
    await dateDemoKey(db, { workspaceId, keyId, createdAt, lastUsedAt });
  await insertDemoUses(db, keyUseRows(place, deliveries, now));
}

async function hashAccounts({ db }: Context, workspaceId: string, planned: readonly PlannedVisit[]) {
  const references = new Set(planned.flatMap(({ accountRef }) => accountRef ?? []));
  const hashes = new Map<string, Uint8Array>();
  for (const reference of references) hashes.set(reference, (await identifyAccount(db, workspaceId, reference)).hash);
  return hashes;
}

/**
 * Fills a workspace with demo visits for demonstrations, screenshots and tests, evaluated by the service's rules and on
 * reserved networks. A workspace with visits is refused unless `isForced`; existing data are never changed.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict`, `invalid_request`
 */
export async function makeDemoData(context: Context, input: Input) {
  const { workspaceId, seed = DEFAULT_SEED, isForced = false, onProgress = () => undefined } = input;
  const { db, now } = context;
  requireOperator(context);
  await authorize(context, workspaceId, "webApp.manage");
  const days = requireDays(input.days);
  if (!isForced && (await hasVisits(db, workspaceId)))
    throw new AppError("conflict", { message: "This workspace has visits. Use an empty one, or pass --force" });
  const chance = createChance(seed);
  const planned = planVisits(chance, now, days);
  const { visits, devices } = composeVisits(planned, chance);
  await onProgress(20);
  await recordAudit(db, context, { workspaceId, action: "demo_data.create", target: workspaceId, detail: { days } });
  await ensurePartitions(db, new Date(now.getTime() - (days + 1) * DAY_MS), now);
  const place = await createSite(context, workspaceId);
  const accounts = accountRows(visits, await hashAccounts(context, workspaceId, planned), place);
  const deliveries = deliveryRows(visits, place, chance, now);
  await insertDemoVisits(db, {
    devices: devices.map((device) => deviceRow(device, workspaceId)),
    ...recognitionRows(visits, workspaceId),
    deviceAddresses: devices.flatMap((device) => addressRows(device, workspaceId)),
    visits: visits.map((visit) => visitRow(visit, place, now)),
    accountLinks: accounts.links,
    deviceAccounts: accounts.firsts,
    // From a separate random sequence, so that a seed's visits stay the same.
    deviceLabels: labelRows(visits, workspaceId, createChance(seed + 1)),
  });
  await onProgress(60);
  await recountSlices(db, workspaceId);
  await countPopulationOf(db, workspaceId);
  await onProgress(80);
  await insertDeliveries(db, deliveries);
  const period = now.toISOString().slice(0, 7);
  await addUnits(db, workspaceId, period, unitsOf(deliveries, period));
  await insertUsageDays(db, usageRows(visits, deliveries, place, chance, now));
  await markFolded(db, workspaceId);
  await insertRefusedOrigins(db, refusedRows(place, now));
  await dateSite(context, place, { createdAt: new Date(now.getTime() - (days + 1) * DAY_MS), deliveries });
  await onProgress(100);
  return { visits: visits.length, devices: devices.length, accounts: accounts.firsts.length, account: SHARED_ACCOUNT };
}
