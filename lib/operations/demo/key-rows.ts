import { HOUR_MS } from "@/lib/platform/calendar";

import type { DeliveryRow, DemoSite } from "./demo-rows";

/** Retention of a key's log. */
const LOGGED_MS = 30 * 24 * HOUR_MS;
/** From a documentation range, so it belongs to nobody. Source: RFC 5737. */
const SERVER = { address: "192.0.2.10", agent: "node" } as const;

/** The last use of each of the site's keys. */
export function lastUses({ webApps }: DemoSite, deliveries: readonly DeliveryRow[]) {
  return webApps.map(({ keyId }) => {
    const times = deliveries.filter((each) => each.keyId === keyId).map(({ deliveredAt }) => deliveredAt.getTime());
    return { keyId, lastUsedAt: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b))) };
  });
}

/** The log of the keys' calls: the last month's deliveries by hour. */
export function keyUseRows({ workspaceId }: DemoSite, deliveries: readonly DeliveryRow[], now: Date) {
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  const rowOf = ({ keyId, deliveredAt, eventId }: DeliveryRow) => ({
    ...{ workspaceId, keyId, ...SERVER, operation: "readReport", code: "", calls: 0 },
    hour: new Date(Math.floor(deliveredAt.getTime() / HOUR_MS) * HOUR_MS),
    ...{ firstAt: deliveredAt, lastAt: deliveredAt },
    lastRequestId: eventId.replace(/^imp_/, "req_"),
  });
  for (const delivery of deliveries) {
    if (now.getTime() - delivery.deliveredAt.getTime() > LOGGED_MS) continue;
    const fresh = rowOf(delivery);
    const key = `${fresh.keyId} ${fresh.hour.getTime()}`;
    const row = rows.get(key) ?? fresh;
    row.calls += 1;
    if (delivery.deliveredAt < row.firstAt) row.firstAt = delivery.deliveredAt;
    if (delivery.deliveredAt >= row.lastAt)
      Object.assign(row, { lastAt: fresh.lastAt, lastRequestId: fresh.lastRequestId });
    rows.set(key, row);
  }
  return [...rows.values()];
}
