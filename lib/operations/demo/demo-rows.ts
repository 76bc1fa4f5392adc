import { firedRules } from "@/lib/visits/risk";
import type { Chance } from "./domain/chance";
import type { DemoDevice, DemoVisit } from "./compose-visits";
import { DAY_MS } from "@/lib/platform/calendar";

type WebApp = { webAppId: string; keyId: string; origin: string };
export type DemoSite = { workspaceId: string; webApps: readonly [WebApp, WebApp] };

/** Days for which the service keeps signals. */
const SIGNALS_DAYS = 30;
const SLICES = 16;

const webAppOf = (visit: DemoVisit, { webApps }: DemoSite): WebApp => webApps[visit.planned.webApp] ?? webApps[0];
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

export function visitRow(visit: DemoVisit, place: DemoSite, now: Date) {
  const { value, json } = visit.report;
  const { origin, webAppId } = webAppOf(visit, place);
  return {
    workspaceId: place.workspaceId,
    eventId: visit.imprint,
    deviceId: visit.deviceId,
    webAppId,
    recordedAt: visit.recordedAt,
    accessCount: visit.accessCount,
    surface: visit.planned.surface,
    origin,
    address: value.network.observed_ip ?? null,
    countryCode: value.network.country_code ?? null,
    asn: value.network.asn ?? null,
    connectionType: value.network.connection_type ?? null,
    status: value.risk.status,
    reasons: value.risk.reasons,
    rules: firedRules({ evidence: visit.evidence.risk, observed: [] }).map(({ ruleId }) => ruleId),
    browserName: value.browser.name ?? null,
    osName: value.operating_system.name ?? null,
    rulesVersion: visit.rulesVersion,
    recognition: visit.recognition.by,
    confidence: visit.recognition.confidence ?? null,
    agent: visit.planned.agent?.name ?? null,
    evidence: visit.evidence,
    signals: now.getTime() - visit.recordedAt.getTime() < SIGNALS_DAYS * DAY_MS ? visit.signals : null,
    report: json,
  };
}

export const deviceRow = (device: DemoDevice, workspaceId: string) => ({
  workspaceId,
  deviceId: device.deviceId,
  firstSeenAt: device.first,
  lastRecordedAt: device.last,
  previousRecordedAt: device.previous ?? null,
  accessCount: device.visits.length,
  browserFamily: device.browserFamily,
  osFamily: device.osFamily,
});

/** One row per address of a device. */
export function addressRows({ deviceId, visits }: DemoDevice, workspaceId: string) {
  const rows = new Map<string, { address: string; countryCode: string; firstSeenAt: Date; lastSeenAt: Date }>();
  for (const { at, address, country: countryCode } of visits) {
    if (address === "") continue;
    const row = rows.get(address) ?? { address, countryCode, firstSeenAt: new Date(at), lastSeenAt: new Date(at) };
    row.lastSeenAt = new Date(at);
    rows.set(address, row);
  }
  return [...rows.values()].map((row) => ({ workspaceId, deviceId, ...row }));
}

/** Links of accounts to visits, and the first link of each account and device. `visits` must be in order. */
export function accountRows(visits: readonly DemoVisit[], hashes: ReadonlyMap<string, Uint8Array>, place: DemoSite) {
  const linked = visits.flatMap(({ planned, imprint, deviceId, recordedAt }) => {
    const accountHash = hashes.get(planned.accountRef ?? "");
    if (accountHash === undefined) return [];
    const row = { workspaceId: place.workspaceId, eventId: imprint, deviceId, accountHash, recordedAt };
    return [{ key: `${deviceId} ${planned.accountRef ?? ""}`, row: { ...row, linkedAt: recordedAt } }];
  });
  const firsts = new Map(linked.toReversed().map(({ key, row }) => [key, row]));
  return {
    links: linked.map(({ row }) => row),
    firsts: [...firsts.values()].map(({ workspaceId, deviceId, accountHash, recordedAt, eventId }) => ({
      ...{ workspaceId, deviceId, accountHash },
      firstRecordedAt: recordedAt,
      firstEventId: eventId,
    })),
  };
}

const DELIVERED_SHARE = 0.92;
const DELIVERY_MS = 900;

/** Deliveries of most Reports, shortly after their visits. */
export function deliveryRows(visits: readonly DemoVisit[], place: DemoSite, chance: Chance, now: Date) {
  return visits.flatMap((visit) => {
    const deliveredAt = new Date(visit.recordedAt.getTime() + DELIVERY_MS);
    if (!chance.isTrue(DELIVERED_SHARE) || deliveredAt > now) return [];
    const { webAppId, keyId } = webAppOf(visit, place);
    const row = { workspaceId: place.workspaceId, eventId: visit.imprint, webAppId, keyId };
    return [{ ...row, period: dayOf(deliveredAt).slice(0, 7), deliveredAt }];
  });
}
export type DeliveryRow = ReturnType<typeof deliveryRows>[number];

/** Report units of the current month, spread over slices as deliveries do. */
export function unitsOf(deliveries: readonly DeliveryRow[], period: string): number[] {
  const units = deliveries.filter((each) => each.period === period).length;
  if (units === 0) return [];
  return Array.from({ length: SLICES }, (_, slice) => Math.floor(units / SLICES) + Number(slice < units % SLICES));
}

/** Calls by day: those of visits and deliveries, re-reads, and every kind of refusal. */
export function usageRows(
  visits: readonly DemoVisit[],
  deliveries: readonly DeliveryRow[],
  place: DemoSite,
  chance: Chance,
  now: Date,
) {
  const rows = new Map<string, ReturnType<typeof row>>();
  const row = (day: string, { webAppId, keyId }: WebApp, operation: string, outcome: string, isKeyed: boolean) => ({
    ...{ workspaceId: place.workspaceId, day, webAppId, operation, outcome, calls: 0, units: 0 },
    keyId: isKeyed ? keyId : null,
  });
  const count = (at: Date, webApp: WebApp, operation: string, outcome: string, calls: number, units = 0) => {
    if (calls === 0) return;
    const isKeyed = operation.startsWith("read");
    const key = [dayOf(at), webApp.webAppId, operation, outcome].join(" ");
    const counted = rows.get(key) ?? row(dayOf(at), webApp, operation, outcome, isKeyed);
    counted.calls += calls;
    counted.units += units;
    rows.set(key, counted);
  };
  for (const visit of visits) {
    const webApp = webAppOf(visit, place);
    count(visit.recordedAt, webApp, "issueChallenge", "served", 1);
    count(visit.recordedAt, webApp, "submitImprint", "served", 1);
    count(visit.recordedAt, webApp, "submitImprint", "origin", Number(chance.isTrue(0.03)));
    count(visit.recordedAt, webApp, "submitImprint", "rate", Number(chance.isTrue(0.01)));
    count(visit.recordedAt, webApp, "readReport", "reread", Number(chance.isTrue(0.2)));
    count(visit.recordedAt, webApp, "readReport", "missing", Number(chance.isTrue(0.01)));
    count(visit.recordedAt, webApp, "readHistory", "served", Number(chance.isTrue(0.05)));
  }
  const [shop, account] = place.webApps;
  for (const { deliveredAt, webAppId } of deliveries)
    count(deliveredAt, webAppId === account.webAppId ? account : shop, "readReport", "delivered", 1, 1);
  // The refused origins of the last hour are also part of the day's refusals.
  for (const [, refusals] of REFUSED) count(now, shop, "submitImprint", "origin", refusals);
  return [...rows.values()];
}

const REFUSED = [
  ["https://www.shop.example", 141],
  ["http://localhost:5173", 9],
  ["", 4],
] as const;

/** Submissions that the shop refused in the last hour. */
export function refusedRows({ workspaceId, webApps: [shop] }: DemoSite, now: Date) {
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000);
  return REFUSED.map(([origin, count]) => ({
    ...{ workspaceId, webAppId: shop.webAppId, hour, origin, count },
    lastSeenAt: now,
  }));
}
