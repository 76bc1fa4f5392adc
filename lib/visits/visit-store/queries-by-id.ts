import { type SQL, sql } from "drizzle-orm";

/**
 * Rows of a visit by its event id, which is a column of an earlier row of the query. As plain joins, the planner would
 * compare each visit of the workspace with each of these rows as long as its statistics are older than the visits, which
 * for a new workspace on a large instance can be weeks. `offset 0` prevents it from making them plain joins.
 */
const byId = (columns: string, table: string, workspace: SQL, eventId: SQL): SQL =>
  sql`select ${sql.raw(columns)} from ${sql.raw(table)} where workspace_id = ${workspace} and event_id = ${eventId} offset 0`;

/** Joins the visit as `v`. */
export const visitById = (workspace: SQL, eventId: SQL): SQL =>
  sql`cross join lateral (${byId("*", "visits", workspace, eventId)}) v`;

/** Joins the visit's account, if it has one, as `l`. */
export const linkById = (workspace: SQL, eventId: SQL): SQL =>
  sql`left join lateral (${byId("account_hash", "account_links", workspace, eventId)}) l on true`;

/** Joins the visit's packed signals, if there are any, as `s`. */
export const signalsById = (workspace: SQL, eventId: SQL): SQL =>
  sql`left join lateral (${byId("packed", "visit_signals", workspace, eventId)}) s on true`;

/** Selects the ids of the rules that fired. */
export const rulesById = (workspace: SQL, eventId: SQL): SQL => byId("rule_id", "visit_rules", workspace, eventId);
