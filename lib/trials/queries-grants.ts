import { and, eq, sql } from "drizzle-orm";

import { type Db, violatedConstraint } from "@/db/client";
import { executeFor } from "@/db/prepared";
import { productSwitches, trialGrants } from "@/db/schema";
import type { GrantStatus } from "@/lib/contract/trial";
import { idToUuid } from "@/lib/contract/ids";
import { type Delivery, insertDelivery } from "@/lib/metering";

type NewGrant = {
  workspaceId: string;
  trialId: string;
  intentId: string;
  webAppId: string;
  environmentId: string;
  keyId: string;
  expiresAt: Date;
  unitsTotal: number;
  submitRequests: number;
  reportRequests: number;
  requestsPerSecond: number;
};

export async function insertGrant(tx: Db, row: NewGrant): Promise<void> {
  await tx.insert(trialGrants).values(row);
}

/** A grant past its end is reported as expired even before the job has stored that. */
export async function findGrant(db: Db, workspaceId: string) {
  const [row] = await db
    .select({
      trialId: trialGrants.trialId,
      intentId: trialGrants.intentId,
      webAppId: trialGrants.webAppId,
      environmentId: trialGrants.environmentId,
      status: sql<GrantStatus>`case when ${trialGrants.status} = 'active' and ${trialGrants.expiresAt} <= statement_timestamp()
        then 'expired' else ${trialGrants.status} end`,
      expiresAt: trialGrants.expiresAt,
      unitsTotal: trialGrants.unitsTotal,
      unitsUsed: trialGrants.unitsUsed,
      submitRequests: trialGrants.submitRequests,
      submitRequestsUsed: trialGrants.submitRequestsUsed,
      reportRequests: trialGrants.reportRequests,
      reportRequestsUsed: trialGrants.reportRequestsUsed,
      requestsPerSecond: trialGrants.requestsPerSecond,
    })
    .from(trialGrants)
    .where(eq(trialGrants.workspaceId, workspaceId));
  return row;
}

const isLive = sql`${trialGrants.status} = 'active' and ${trialGrants.expiresAt} > statement_timestamp()`;

const COUNTERS = {
  submission: {
    set: { submitRequestsUsed: sql`${trialGrants.submitRequestsUsed} + 1` },
    constraint: "trial_grants_submit_requests",
  },
  reportRequest: {
    set: { reportRequestsUsed: sql`${trialGrants.reportRequestsUsed} + 1` },
    constraint: "trial_grants_report_requests",
  },
} as const;

export type Counter = keyof typeof COUNTERS;

/**
 * Counts one use. The limit is a table constraint: beyond it the statement and its transaction fail.
 *
 * @returns `ended` if the grant is not live
 */
export async function countUse(
  db: Db,
  workspaceId: string,
  counter: Counter,
): Promise<"counted" | "used_up" | "ended"> {
  const { set, constraint } = COUNTERS[counter];
  try {
    const rows = await db
      .update(trialGrants)
      .set(set)
      .where(and(eq(trialGrants.workspaceId, workspaceId), isLive))
      .returning({ trialId: trialGrants.trialId });
    return rows.length > 0 ? "counted" : "ended";
  } catch (error) {
    if (violatedConstraint(error) === constraint) return "used_up";
    throw error;
  }
}

/**
 * Stores the first delivery of a Report and uses one unit of the grant, atomically in one statement. The grant is locked
 * first, so that it cannot end in between; the limit is a table constraint.
 */
export async function useUnit(
  db: Db,
  { workspaceId, imprint, webAppId, keyId, acceptanceHash }: Delivery,
): Promise<"delivered" | "repeated" | "used_up" | "ended"> {
  const workspace = sql`${idToUuid(workspaceId)}::uuid`;
  try {
    const [row] = await executeFor<{ live: boolean; delivered: boolean }>(
      db,
      workspaceId,
      sql`
      with live as materialized (
        select 1 from trial_grants
        where workspace_id = ${workspace} and status = 'active' and expires_at > statement_timestamp() for update
      ),
      delivered as (${insertDelivery(
        {
          workspace,
          event: sql`${idToUuid(imprint)}::uuid`,
          webApp: sql`${idToUuid(webAppId)}::uuid`,
          key: sql`${keyId === undefined ? null : idToUuid(keyId)}::uuid`,
          acceptance: sql`${acceptanceHash ?? null}::bytea`,
          period: sql`'total'`,
        },
        sql`live`,
      )}),
      spent as (
        update trial_grants set units_used = units_used + 1
        where workspace_id = ${workspace} and exists (select 1 from delivered)
      )
      select exists (select 1 from live) as live, exists (select 1 from delivered) as delivered`,
    );
    if (!row?.live) return "ended";
    return row.delivered ? "delivered" : "repeated";
  } catch (error) {
    if (violatedConstraint(error) === "trial_grants_units") return "used_up";
    throw error;
  }
}

export async function endGrant(
  tx: Db,
  workspaceId: string,
  { status, endedAt }: { status: "expired" | "revoked"; endedAt: Date },
): Promise<{ webAppId: string } | undefined> {
  const [row] = await tx
    .update(trialGrants)
    .set({ status, endedAt })
    .where(and(eq(trialGrants.workspaceId, workspaceId), eq(trialGrants.status, "active")))
    .returning({ webAppId: trialGrants.webAppId });
  return row;
}

/** A product is on sale unless the operator took it off. */
export async function findProductSwitch(db: Db, productCode: string): Promise<boolean> {
  const [row] = await db
    .select({ isEnabled: productSwitches.isEnabled })
    .from(productSwitches)
    .where(eq(productSwitches.productCode, productCode));
  return row?.isEnabled ?? true;
}

/** False if the switch already had this value. */
export async function saveProductSwitch(tx: Db, productCode: string, isEnabled: boolean): Promise<boolean> {
  const before = await findProductSwitch(tx, productCode);
  await tx
    .insert(productSwitches)
    .values({ productCode, isEnabled })
    .onConflictDoUpdate({
      target: productSwitches.productCode,
      set: { isEnabled, changedAt: sql`statement_timestamp()` },
    });
  return before !== isEnabled;
}
