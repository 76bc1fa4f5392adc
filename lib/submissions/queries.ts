import { and, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { challengeUses, visits } from "@/db/schema";
import type { Report } from "@/lib/contract/report";

/** The visit that a challenge was used for, while the use is remembered. */
export async function findChallengeUse(db: Db, workspaceId: string, nonce: string) {
  const [use] = await db
    .select({ bodyHash: challengeUses.bodyHash, eventId: challengeUses.eventId })
    .from(challengeUses)
    .where(and(eq(challengeUses.workspaceId, workspaceId), eq(challengeUses.nonce, nonce)));
  return use;
}

type NewVisit = {
  workspaceId: string;
  eventId: string;
  deviceId: string;
  webAppId: string;
  /** Text of the database's timestamp, to the microsecond. */
  recordedAt: string;
  accessCount: number;
  surface: string;
  origin: string;
  address: string | undefined;
  countryCode: string | undefined;
  asn: number | undefined;
  report: { value: Report; json: string };
  rulesVersion: string;
  evidence: unknown;
  signals: unknown;
};

export async function insertVisit(db: Db, visit: NewVisit): Promise<void> {
  const { value, json } = visit.report;
  await db.insert(visits).values({
    workspaceId: visit.workspaceId,
    eventId: visit.eventId,
    deviceId: visit.deviceId,
    webAppId: visit.webAppId,
    recordedAt: sql`${visit.recordedAt}::timestamptz`,
    accessCount: visit.accessCount,
    surface: visit.surface,
    origin: visit.origin,
    address: visit.address ?? null,
    countryCode: visit.countryCode ?? null,
    asn: visit.asn ?? null,
    connectionType: value.network.connection_type ?? null,
    status: value.risk.status,
    reasons: value.risk.reasons,
    browserName: value.browser.name ?? null,
    osName: value.operating_system.name ?? null,
    rulesVersion: visit.rulesVersion,
    evidence: visit.evidence,
    signals: visit.signals,
    report: json,
  });
}
