import { and, eq, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { challengeUses } from "@/db/schema";
import { idToUuid } from "@/lib/ids";
import { type ComposedReport, reportText } from "@/lib/reports";

/** The visit that a challenge was used for, while the use is remembered. */
export async function findChallengeUse(db: Db, workspaceId: string, nonce: string) {
  const [use] = await db
    .select({ bodyHash: challengeUses.bodyHash, eventId: challengeUses.eventId })
    .from(challengeUses)
    .where(and(eq(challengeUses.workspaceId, workspaceId), eq(challengeUses.nonce, nonce)));
  return use;
}

export type NewVisit = {
  workspaceId: string;
  eventId: string;
  webAppId: string;
  surface: string;
  origin: string;
  address: string | undefined;
  countryCode: string | undefined;
  asn: number | undefined;
  report: ComposedReport;
  rulesVersion: string;
  evidence: unknown;
  signals: unknown;
};

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

/** Stores a visit, for a statement that has its `event` and the device's `activity`. */
export const insertVisit = ({ report, ...visit }: NewVisit): SQL => sql`
  insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address,
    country_code, asn, connection_type, status, reasons, browser_name, os_name, rules_version, evidence, signals, report)
  select ${idToUuid(visit.workspaceId)}::uuid, ${idToUuid(visit.eventId)}::uuid, event.device_id,
    ${idToUuid(visit.webAppId)}::uuid, event.last_recorded_at, event.access_count, ${visit.surface}, ${visit.origin},
    ${visit.address ?? null}::inet, ${visit.countryCode ?? null}, ${visit.asn ?? null}::bigint,
    ${report.network.connection_type ?? null}, ${report.risk.status},
    ${`{${report.risk.reasons.join()}}`}::text[], ${report.browser.name ?? null}, ${report.operating_system.name ?? null},
    ${visit.rulesVersion}, ${json(visit.evidence)}, ${json(visit.signals)}, ${reportText(report)}
  from event, activity`;
