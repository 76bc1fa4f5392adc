import { and, eq, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement, type Values } from "@/db/prepared";
import { challengeUses } from "@/db/schema";
import { type DecidedRecognition, MATCH_FACTS, TOKEN_USE } from "@/lib/visits/devices";
import { idToUuid } from "@/lib/contract/ids";
import { TOKEN_NETWORKS } from "@/lib/visits/repeats";
import { type ComposedReport, REPORT_TEXT, reportTextValues } from "@/lib/visits/reports";
import { ENVIRONMENT } from "@/lib/tenancy/web-apps";

/** The visit that a challenge was used for, while the use is remembered. */
export async function findChallengeUse(db: Db, workspaceId: string, nonce: string) {
  const [use] = await db
    .select({ bodyHash: challengeUses.bodyHash, eventId: challengeUses.eventId })
    .from(challengeUses)
    .where(and(eq(challengeUses.workspaceId, workspaceId), eq(challengeUses.nonce, nonce)));
  return use;
}

/** What is known of a visit's token, and the networks that it came from lately where its device was at another address. */
const TOKEN_FACTS = sql`
  select use as token_use, case when (use ->> 'places') is not null then ${TOKEN_NETWORKS} end as token_networks
  from (select ${TOKEN_USE} as use offset 0) token`;

/** Whom a submission speaks for, and what its visit is matched and judged by: the columns of all. */
export const SUBMISSION_FACTS = sql`
  select environment.*, facts.*, token.*
  from (${MATCH_FACTS}) facts cross join (${TOKEN_FACTS}) token left join (${ENVIRONMENT}) environment on true`;

const readVisitFacts = statement(
  sql`select facts.*, token.* from (${MATCH_FACTS}) facts cross join (${TOKEN_FACTS}) token`,
);

/** What a visit is matched and judged by, where that was not read with whom the submission speaks for. */
export async function findVisitFacts(db: Db, ...values: Values[]): Promise<Record<string, unknown>> {
  const [row] = await readVisitFacts(db, ...values);
  if (!row) throw new Error("the database did not answer");
  return row;
}

const readTokenFacts = statement(TOKEN_FACTS);

/** What is known of a visit's token now. */
export async function findTokenFacts(db: Db, ...values: Values[]): Promise<Record<string, unknown>> {
  const [row] = await readTokenFacts(db, ...values);
  return row ?? {};
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
  recognition: DecidedRecognition;
  /** Name of the verified agent that made the visit. */
  agent: string | undefined;
  evidence: unknown;
  signals: unknown;
};

const { placeholder } = sql;

/**
 * How the device was found, as the write found it: one that is gone by then is a new one, and a new one that has other
 * visits was found together with a parallel visit, so that neither a token nor the evidence can be named.
 */
const WRITTEN_RECOGNITION = sql`
  case when event.access_count = 1 then 'new' else nullif(${placeholder("recognition")}, 'new') end,
  case when event.access_count > 1 then ${placeholder("confidence")}::real end`;

/** Stores a visit, for a statement that has its `event` and the device's `activity`. Its values: `visitValues`. */
export const INSERT_VISIT = sql`
  insert into visits (workspace_id, event_id, device_id, web_app_id, recorded_at, access_count, surface, origin, address,
    country_code, asn, connection_type, status, reasons, browser_name, os_name, rules_version, recognition, confidence, agent,
    evidence, signals, report)
  select ${placeholder("workspace")}::uuid, ${placeholder("event")}::uuid, event.device_id, ${placeholder("webApp")}::uuid,
    event.last_recorded_at, event.access_count, ${placeholder("surface")}, ${placeholder("origin")},
    ${placeholder("address")}::inet, ${placeholder("visitCountry")}, ${placeholder("asn")}::bigint,
    ${placeholder("connectionType")}, ${placeholder("status")}, ${placeholder("reasons")}::text[],
    ${placeholder("browserName")}, ${placeholder("osName")}, ${placeholder("rulesVersion")},
    ${WRITTEN_RECOGNITION}, ${placeholder("agent")},
    ${placeholder("evidence")}::json, ${placeholder("signals")}::json, ${REPORT_TEXT}
  from event, activity`;

/** The values of `INSERT_VISIT`. */
export const visitValues = ({ report, ...visit }: NewVisit): Values => ({
  workspace: idToUuid(visit.workspaceId),
  event: idToUuid(visit.eventId),
  webApp: idToUuid(visit.webAppId),
  surface: visit.surface,
  origin: visit.origin,
  address: visit.address ?? null,
  visitCountry: visit.countryCode ?? null,
  asn: visit.asn ?? null,
  connectionType: report.network.connection_type ?? null,
  status: report.risk.status,
  reasons: `{${report.risk.reasons.join()}}`,
  browserName: report.browser.name ?? null,
  osName: report.operating_system.name ?? null,
  rulesVersion: visit.rulesVersion,
  recognition: visit.recognition.by,
  confidence: visit.recognition.confidence ?? null,
  agent: visit.agent ?? null,
  evidence: JSON.stringify(visit.evidence),
  signals: JSON.stringify(visit.signals),
  ...reportTextValues(report),
});
