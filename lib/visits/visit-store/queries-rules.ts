import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { eventIdFloor } from "@/db/partitions";
import type { Label } from "@/lib/contract/labels";
import type { ReportStatus } from "@/lib/contract/report";
import { uuidToId } from "@/lib/contract/ids";
import { joinWebApp } from "@/lib/tenancy/web-apps";
import type { Evidence } from "@/lib/visits/risk";
import { evidenceOf, type StoredEvidence } from "./pack-json";
import { labelledVisits } from "./queries-labels";
import { rulesById, visitById } from "./queries-by-id";
import { eventsBetween, instantOf, milliseconds, textList, uuid } from "./queries-parts";

/** Visits between two times, by the clock of their ids. */
export type RuleRange = { workspaceId: string; from: Date; to: Date };

const within = ({ workspaceId, from, to }: RuleRange): SQL => sql`
  r.workspace_id = ${uuid(workspaceId)} and r.event_id >= ${eventIdFloor(from)}::uuid
  and r.event_id < ${eventIdFloor(to)}::uuid`;

export type RuleCount = { rule_id: string; visits: number; observed: number };

/** Counts the visits in which each rule fired. */
export async function countRules(db: Db, range: RuleRange): Promise<RuleCount[]> {
  const rows = await db.execute<RuleCount>(sql`
    select r.rule_id, count(*)::int as visits, (count(*) filter (where r.is_observed))::int as observed
    from visit_rules r where ${within(range)} group by r.rule_id`);
  return [...rows];
}

/** Counts of labelled visits: all of them if `rule_id` is null, otherwise those in which the rule fired. */
export type LabelledCount = {
  rule_id: string | null;
  label: Label;
  visits: number;
  devices: number;
  /** Visits whose verdict is not PASS. */
  accused: number;
};

/** Counts labelled visits, in total and by fired rule. */
export async function countLabelledVisits(db: Db, range: RuleRange): Promise<LabelledCount[]> {
  const { workspaceId, from, to } = range;
  const workspace = uuid(workspaceId);
  const counts = sql`count(*)::int as visits, count(distinct k.device_id)::int as devices,
    (count(*) filter (where k.status <> 'PASS'))::int as accused`;
  const rows = await db.execute<LabelledCount>(sql`
    with known as materialized (
      select l.event_id, l.label, v.device_id, v.status from (${labelledVisits(workspaceId, from, to)}) l
      ${visitById(workspace, sql`l.event_id`)}
    )
    select null as rule_id, k.label, ${counts} from known k group by k.label
    union all
    select r.rule_id, k.label, ${counts} from known k
    cross join lateral (${rulesById(workspace, sql`k.event_id`)}) r group by r.rule_id, k.label`);
  return [...rows];
}

/** Counts the visits in which a rule fired, by step. The last step ends with the range. */
export async function countRuleSteps(
  db: Db,
  ruleId: string,
  { workspaceId, to }: Pick<RuleRange, "workspaceId" | "to">,
  starts: readonly Date[],
): Promise<number[]> {
  const floors = (dates: readonly Date[]) => sql`${`{${dates.map(eventIdFloor).join()}}`}::uuid[]`;
  const rows = await db.execute<{ visits: number }>(sql`
    select (select count(*)::int from visit_rules r
      where r.workspace_id = ${uuid(workspaceId)} and r.rule_id = ${ruleId}
        and r.event_id >= s.starts and r.event_id < s.ends) as visits
    from unnest(${floors(starts)}, ${floors([...starts.slice(1), to])}) with ordinality s (starts, ends) order by s.ordinality`);
  return rows.map(({ visits }) => visits);
}

/** The newest `limit` visits in which a rule fired. */
const newestOf = (ruleId: string, range: RuleRange, limit: number): SQL => sql`
  select r.event_id, r.is_observed from visit_rules r
  where ${within(range)} and r.rule_id = ${ruleId} order by r.event_id desc limit ${limit}`;

/**
 * Visits with a finding of one of the rules. Undefined if there are more than `max`. Some may be slightly outside the
 * range.
 */
export async function listEventsOfRules(
  db: Db,
  ruleIds: readonly string[],
  { workspaceId, from, to }: RuleRange,
  max: number,
): Promise<readonly string[] | undefined> {
  const rows = await db.execute<{ event_id: string }>(sql`
    select r.event_id from visit_rules r
    where r.workspace_id = ${uuid(workspaceId)} and ${eventsBetween(from, to, sql`r.event_id`)}
      and r.rule_id = any(${textList(ruleIds)}::text[]) and not r.is_observed
    limit ${max + 1}`);
  return rows.length > max ? undefined : [...new Set([...rows].map(({ event_id: eventId }) => eventId))];
}

export type RuleFacet = {
  by: "surface" | "web_app" | "country" | "connection" | "browser" | "system" | "status" | "rule";
  value: string;
  count: number;
};

/** Counts where a rule fired, and with which other rules, over its newest visits. */
export async function countRuleFacets(db: Db, ruleId: string, range: RuleRange, limit: number): Promise<RuleFacet[]> {
  const workspace = uuid(range.workspaceId);
  const facet = (name: RuleFacet["by"], column: string) => sql`
    select ${name}::text as by, ${sql.raw(column)}::text as value, count(*)::int as count from fired group by 2`;
  const rows = await db.execute<RuleFacet>(sql`
    with newest as materialized (${newestOf(ruleId, range, limit)}), fired as materialized (
      select v.surface, a.name as web_app, v.country_code, v.connection_type, v.browser_name, v.os_name, v.status
      from newest n ${visitById(workspace, sql`n.event_id`)} ${joinWebApp("v")}
    )
    ${facet("surface", "surface")} union all ${facet("web_app", "web_app")} union all ${facet("country", "country_code")}
    union all ${facet("connection", "connection_type")} union all ${facet("browser", "browser_name")}
    union all ${facet("system", "os_name")} union all ${facet("status", "status")}
    union all select 'rule', o.rule_id, count(*)::int from newest n
      cross join lateral (${rulesById(workspace, sql`n.event_id`)}) o
      where o.rule_id <> ${ruleId} group by 2
    order by 3 desc, 2`);
  return rows.filter(({ value }) => (value as string | null) !== null);
}

/** Lists the newest visits in which a rule fired, with its finding. */
export async function listRuleVisits(db: Db, ruleId: string, range: RuleRange, limit: number) {
  const workspace = uuid(range.workspaceId);
  const rows = await db.execute<
    StoredEvidence & {
      event_id: string;
      recorded_ms: string;
      status: ReportStatus;
      surface: string;
      web_app: string;
      is_observed: boolean;
    }
  >(sql`
    with newest as materialized (${newestOf(ruleId, range, limit)})
    select v.event_id, ${milliseconds(sql`v.recorded_at`)} as recorded_ms, v.status, v.surface, a.name as web_app,
      n.is_observed, v.evidence, v.evidence_packed
    from newest n ${visitById(workspace, sql`n.event_id`)} ${joinWebApp("v")}
    order by v.event_id desc`);
  return rows.map((row) => {
    const { risk, observed = [] } = evidenceOf(row) as { risk: Evidence[]; observed?: Evidence[] }; // as the service wrote it
    return {
      imprint: uuidToId("imprint", row.event_id),
      recordedAt: instantOf(row.recorded_ms),
      status: row.status,
      surface: row.surface,
      webApp: row.web_app,
      isObserved: row.is_observed,
      found: [...risk, ...observed].find((each) => each.ruleId === ruleId),
    };
  });
}

/** Time of the oldest recorded rule. Before that, fired rules were not recorded. */
export async function firstNotedRule(db: Db, workspaceId: string): Promise<Date | undefined> {
  const [row] = await db.execute<{ event_id: string }>(sql`
    select event_id from visit_rules where workspace_id = ${uuid(workspaceId)} order by event_id limit 1`);
  return row && new Date(Number.parseInt(row.event_id.replaceAll("-", "").slice(0, 12), 16));
}
