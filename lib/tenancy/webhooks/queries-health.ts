import { and, eq, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { once } from "@/db/once";
import { executeFor } from "@/db/prepared";
import { webhookDeliveries, webhookEndpoints } from "@/db/schema";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { changeMessages, type EndpointRef, FIXED } from "./queries-send";

/** Notices read at once, since other processes may claim the first ones. */
const NOTICES = 20;
/** Messages that become due at once when their endpoint recovers; the others do when they would have. */
const BROUGHT_FORWARD = 1000;
/** The longest delay is six hours and a fifth. */
const TOO_FAR_SECONDS = 9 * 3600;

/** Statements on the health of endpoints and the notices about it. */

const nowAt = (shift: number) => sql`(statement_timestamp() + make_interval(secs => ${shift}::float8))`;
const later = (shift: number, seconds: number) =>
  sql`(statement_timestamp() + make_interval(secs => ${shift}::float8 + ${seconds}::float8))`;

const ofEndpoint = ({ workspaceId, endpointId }: EndpointRef) =>
  and(eq(webhookEndpoints.workspaceId, workspaceId), eq(webhookEndpoints.endpointId, endpointId));

/** Records that an endpoint accepted a message. @returns whether it had been failing */
export async function noteSuccess(db: Db, endpoint: EndpointRef): Promise<boolean> {
  const rows = await db
    .update(webhookEndpoints)
    .set({ failures: 0, failingSince: null, retryAt: null })
    .where(
      and(ofEndpoint(endpoint), sql`(${webhookEndpoints.failures} > 0 or ${webhookEndpoints.retryAt} is not null)`),
    )
    .returning({ endpointId: webhookEndpoints.endpointId });
  return rows.length > 0;
}

/** Makes waiting messages of an endpoint due at once, and ends their leases. */
async function makeDue(db: Db, { workspaceId, endpointId }: EndpointRef, condition: SQL, shift: number): Promise<void> {
  const waiting = sql`(
    select ${FIXED}, ${nowAt(shift)} as due_at, null::uuid as lease
    from webhook_deliveries w cross join lateral ${once(sql`w.state = 'pending'`)}
    where workspace_id = ${idToUuid(workspaceId)}::uuid and endpoint_id = ${idToUuid(endpointId)}::uuid
      and state = 'pending' and ${condition}
    order by w.due_at limit ${BROUGHT_FORWARD} for update of w skip locked) waiting`;
  await executeFor(db, workspaceId, sql`${changeMessages(waiting, ["due_at", "lease"])} returning 1 as one`);
}

/** Makes an endpoint's waiting messages due at once, after it has recovered. */
export const bringForward = (db: Db, endpoint: EndpointRef, shift: number): Promise<void> =>
  makeDue(db, endpoint, sql`lease is null and w.due_at > ${nowAt(shift)}`, shift);

/**
 * Makes messages and endpoints due that wait for a time further ahead than any lease, delay or pause: it was written
 * before the clock was set back.
 */
export async function endWaitsOfEarlierClock(db: Db, shift: number): Promise<void> {
  const tooFar = later(shift, TOO_FAR_SECONDS);
  await db.execute(sql`update webhook_endpoints set retry_at = null where retry_at > ${tooFar}`);
  const found = await db.execute<{ workspace_id: string; endpoint_id: string }>(sql`
    select e.workspace_id, e.endpoint_id from webhook_endpoints e where ${tooFar} < (
      select d.due_at from webhook_deliveries d cross join lateral ${once(sql`d.state = 'pending'`)}
      where d.workspace_id = e.workspace_id and d.endpoint_id = e.endpoint_id and d.state = 'pending'
      order by d.due_at desc limit 1)`);
  for (const { workspace_id: workspace, endpoint_id: endpoint } of found) {
    const ref = { workspaceId: uuidToId("workspace", workspace), endpointId: uuidToId("webhook", endpoint) };
    await makeDue(db, ref, sql`w.due_at > ${tooFar}`, shift);
  }
}

/** A delivery's attempts and the health of its endpoint, which is locked until the end of the transaction. */
export async function lockFailing(tx: Db, endpoint: EndpointRef & { deliveryId: string }, shift: number) {
  const [health] = await tx
    .select({
      name: webhookEndpoints.name,
      state: webhookEndpoints.state,
      failures: webhookEndpoints.failures,
      failingSince: webhookEndpoints.failingSince,
      now: nowAt(shift).mapWith(webhookEndpoints.createdAt),
    })
    .from(webhookEndpoints)
    .where(ofEndpoint(endpoint))
    .for("no key update");
  const [delivery] = await tx
    .select({ attempts: webhookDeliveries.attempts, firstAttemptAt: webhookDeliveries.firstAttemptAt })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.workspaceId, endpoint.workspaceId),
        eq(webhookDeliveries.deliveryId, endpoint.deliveryId),
      ),
    );
  return health && delivery && { ...health, ...delivery };
}

export async function noteFailure(tx: Db, endpoint: EndpointRef, pauseSeconds: number, shift: number): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({
      failures: sql`${webhookEndpoints.failures} + 1`,
      failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${nowAt(shift)})`,
      ...(pauseSeconds > 0 && { retryAt: later(shift, pauseSeconds) }),
    })
    .where(ofEndpoint(endpoint));
}

export async function setDisabled(tx: Db, endpoint: EndpointRef, because: string, shift: number): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ state: "disabled", disabledBecause: because, noticeDueAt: nowAt(shift) })
    .where(ofEndpoint(endpoint));
}

/** An endpoint whose admins must be notified that it was disabled, claimed for `seconds`. */
export async function claimNotice(db: Db, seconds: number, shift: number) {
  // Selected first, then claimed by its key: on a cluster rows are locked on one shard at a time.
  const due = await db.execute<{ workspace_id: string; endpoint_id: string }>(sql`
    select workspace_id, endpoint_id from webhook_endpoints where notice_due_at <= ${nowAt(shift)} limit ${NOTICES}`);
  for (const { workspace_id: workspace, endpoint_id: endpoint } of due) {
    const [row] = await db.execute<{ name: string; url: string; because: string }>(sql`
      update webhook_endpoints set notice_due_at = ${later(shift, seconds)}
      where workspace_id = ${workspace}::uuid and endpoint_id = ${endpoint}::uuid and notice_due_at <= ${nowAt(shift)}
      returning name, url, disabled_because as because`);
    if (row)
      return { ...row, workspaceId: uuidToId("workspace", workspace), endpointId: uuidToId("webhook", endpoint) };
  }
  return undefined;
}

export async function clearNotice(db: Db, endpoint: EndpointRef): Promise<void> {
  await db.update(webhookEndpoints).set({ noticeDueAt: null }).where(ofEndpoint(endpoint));
}

/** Backlog and disabled endpoints of all workspaces. At most 10,000 messages are counted per endpoint. */
export async function readQueueFigures(db: Db) {
  const [row] = await db.execute<{ backlog: number; overdue_seconds: number; disabled: number; failing: number }>(sql`
    select coalesce(sum(waiting.backlog), 0)::float8 as backlog,
      greatest(0, max(case when e.failing_since is null
        then extract(epoch from statement_timestamp() - waiting.due_at) end))::float8 as overdue_seconds,
      (count(*) filter (where e.state = 'disabled'))::float8 as disabled,
      (count(*) filter (where e.state = 'active' and e.failing_since is not null))::float8 as failing
    from webhook_endpoints e left join lateral (
      select count(*) as backlog, min(d.due_at) as due_at from (
        select due_at from webhook_deliveries
        where workspace_id = e.workspace_id and endpoint_id = e.endpoint_id and state = 'pending'
        order by due_at limit 10000) d) waiting on e.state = 'active'`);
  return {
    backlog: row?.backlog ?? 0,
    overdueSeconds: row?.overdue_seconds ?? 0,
    disabled: row?.disabled ?? 0,
    failing: row?.failing ?? 0,
  };
}
