import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import type { Label } from "@/lib/contract/labels";
import { uuidToId } from "@/lib/contract/ids";
import { labelledVisits } from "./queries-labels";
import { evidenceOf, type StoredEvidence, unpackJson } from "./pack-json";
import { signalsById } from "./queries-by-id";
import { uuid } from "./queries-parts";
import type { RuleRange } from "./queries-rules";

/** The stored parts of a visit that rules are reapplied to. */
export type StoredVisitSignals = {
  imprint: string;
  deviceId: string;
  rulesVersion: string;
  /** The Report's JSON text. */
  report: string;
  evidence: unknown;
  /** Null if the raw signals were erased. */
  signals: unknown;
};

/** Lists visits after `after` with their raw signals, in order of arrival. */
export async function listVisitSignals(
  db: Db,
  { workspaceId, from, to }: RuleRange,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<StoredVisitSignals[]> {
  type Row = StoredEvidence & {
    event_id: string;
    device_id: string;
    rules_version: string;
    report: string;
    signals: unknown;
    packed: Uint8Array | null;
  };
  const start = after === undefined ? sql`>= ${eventIdFloor(from)}::uuid` : sql`> ${uuid(after)}`;
  const rows = await db.execute<Row>(sql`
    select v.event_id, v.device_id, v.rules_version, v.report, v.evidence, v.evidence_packed, v.signals, s.packed
    from visits v ${signalsById(uuid(workspaceId), sql`v.event_id`)}
    where v.workspace_id = ${uuid(workspaceId)} and v.event_id ${start} and v.event_id < ${eventIdFloor(to)}::uuid
    order by v.event_id limit ${limit}`);
  return rows.map((row) => ({
    imprint: uuidToId("imprint", row.event_id),
    deviceId: row.device_id,
    rulesVersion: row.rules_version,
    report: row.report,
    evidence: evidenceOf(row),
    signals: row.packed === null ? row.signals : unpackJson(row.packed),
  }));
}

/** Effective labels of all labelled visits between two times, by imprint. */
export async function mapLabels(db: Db, { workspaceId, from, to }: RuleRange): Promise<Map<string, Label>> {
  const rows = await db.execute<{ event_id: string; label: Label }>(labelledVisits(workspaceId, from, to));
  return new Map(rows.map((row) => [uuidToId("imprint", row.event_id), row.label]));
}
