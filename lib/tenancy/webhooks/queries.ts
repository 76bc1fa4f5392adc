import { and, asc, count, desc, eq, isNotNull, lt, not, or, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { webhookDeliveries, webhookEndpoints } from "@/db/schema";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { ReportStatus } from "@/lib/contract/report";
import type { WebhookEventType } from "@/lib/contract/webhooks";
import type { Position } from "@/lib/platform/cursor";
import { behind, positionColumns } from "@/lib/platform/queries-cursor";
import type { Subscription } from "./domain/subscription";
import type { EndpointRef } from "./queries-send";

const ofEndpoint = ({ workspaceId, endpointId }: EndpointRef) =>
  and(eq(webhookEndpoints.workspaceId, workspaceId), eq(webhookEndpoints.endpointId, endpointId));

const endpointColumns = {
  workspaceId: webhookEndpoints.workspaceId,
  endpointId: webhookEndpoints.endpointId,
  name: webhookEndpoints.name,
  url: webhookEndpoints.url,
  eventTypes: webhookEndpoints.eventTypes,
  webAppIds: webhookEndpoints.webAppIds,
  statuses: webhookEndpoints.statuses,
  state: webhookEndpoints.state,
  disabledBecause: webhookEndpoints.disabledBecause,
  createdBy: webhookEndpoints.createdBy,
  createdAt: webhookEndpoints.createdAt,
  failingSince: webhookEndpoints.failingSince,
  overlapUntil:
    sql`case when ${webhookEndpoints.overlapUntil} > statement_timestamp() then ${webhookEndpoints.overlapUntil} end`.mapWith(
      (value: string | null) => (value === null ? null : new Date(value)),
    ),
};

type EndpointRow = Awaited<ReturnType<typeof selectEndpoints>>[number];

const selectEndpoints = (db: Db) => db.select(endpointColumns).from(webhookEndpoints);

const toEndpoint = (row: EndpointRow) => ({
  ...row,
  // safe: written only by `insertEndpoint` and `updateEndpoint`
  eventTypes: row.eventTypes as WebhookEventType[],
  statuses: row.statuses as ReportStatus[],
  webAppIds: row.webAppIds.map((uuid) => uuidToId("webApp", uuid)),
});
export type Endpoint = ReturnType<typeof toEndpoint>;

const stored = ({ eventTypes, webAppIds, statuses }: Subscription) => ({
  eventTypes: [...eventTypes],
  webAppIds: webAppIds.map(idToUuid),
  statuses: [...statuses],
});

type NewEndpoint = EndpointRef & { name: string; url: string; sealedSecret: string; createdBy: string };

export async function insertEndpoint(tx: Db, { subscription, ...row }: NewEndpoint & { subscription: Subscription }) {
  await tx.insert(webhookEndpoints).values({ ...row, ...stored(subscription) });
}

export async function countEndpoints(tx: Db, workspaceId: string): Promise<number> {
  const [row] = await tx
    .select({ endpoints: count() })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.workspaceId, workspaceId));
  return row?.endpoints ?? 0;
}

export async function listEndpointRows(db: Db, workspaceId: string): Promise<Endpoint[]> {
  const rows = await selectEndpoints(db)
    .where(eq(webhookEndpoints.workspaceId, workspaceId))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.endpointId));
  return rows.map(toEndpoint);
}

export async function findEndpoint(db: Db, endpoint: EndpointRef): Promise<Endpoint | undefined> {
  const [row] = await selectEndpoints(db).where(ofEndpoint(endpoint));
  return row && toEndpoint(row);
}

/** The endpoint, locked until the end of the transaction. */
export async function lockEndpoint(tx: Db, endpoint: EndpointRef) {
  const [row] = await tx
    .select({ ...endpointColumns, sealedSecret: webhookEndpoints.sealedSecret })
    .from(webhookEndpoints)
    .where(ofEndpoint(endpoint))
    .for("no key update");
  return row && { ...toEndpoint(row), sealedSecret: row.sealedSecret };
}

type Change = { name: string; url: string; subscription: Subscription };

export async function updateEndpoint(tx: Db, endpoint: EndpointRef, { name, url, subscription }: Change) {
  await tx
    .update(webhookEndpoints)
    .set({ name, url, ...stored(subscription) })
    .where(ofEndpoint(endpoint));
}

export async function setPaused(tx: Db, endpoint: EndpointRef): Promise<void> {
  await tx.update(webhookEndpoints).set({ state: "paused", noticeDueAt: null }).where(ofEndpoint(endpoint));
}

/** Activates an endpoint and resets its failures. Waiting messages become due, with their full retry time. */
export async function setActive(tx: Db, endpoint: EndpointRef): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({
      state: "active",
      disabledBecause: "",
      failures: 0,
      failingSince: null,
      retryAt: null,
      noticeDueAt: null,
    })
    .where(ofEndpoint(endpoint));
  await tx
    .update(webhookDeliveries)
    .set({ attempts: 0, firstAttemptAt: null, dueAt: sql`statement_timestamp()` })
    .where(
      and(
        eq(webhookDeliveries.workspaceId, endpoint.workspaceId),
        eq(webhookDeliveries.endpointId, endpoint.endpointId),
        eq(webhookDeliveries.state, "pending"),
        sql`${webhookDeliveries.lease} is null`,
      ),
    );
}

/** @returns the end of the overlap */
export async function replaceSecret(
  tx: Db,
  endpoint: EndpointRef,
  {
    sealedSecret,
    sealedPreviousSecret,
    overlapSeconds,
  }: {
    sealedSecret: string;
    sealedPreviousSecret: string | null;
    overlapSeconds: number;
  },
): Promise<Date | null> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set({
      sealedSecret,
      sealedPreviousSecret,
      overlapUntil:
        overlapSeconds === 0 ? null : sql`statement_timestamp() + make_interval(secs => ${overlapSeconds}::float8)`,
    })
    .where(ofEndpoint(endpoint))
    .returning({ overlapUntil: webhookEndpoints.overlapUntil });
  return row?.overlapUntil ?? null;
}

export async function removeEndpoint(tx: Db, endpoint: EndpointRef): Promise<void> {
  await tx.delete(webhookEndpoints).where(ofEndpoint(endpoint));
}

const deliveryColumns = {
  deliveryId: webhookDeliveries.deliveryId,
  endpointId: webhookDeliveries.endpointId,
  eventId: webhookDeliveries.eventId,
  type: webhookDeliveries.type,
  payload: webhookDeliveries.payload,
  occurredAt: webhookDeliveries.occurredAt,
  state: webhookDeliveries.state,
  attempts: webhookDeliveries.attempts,
  dueAt: webhookDeliveries.dueAt,
  isSending: sql<boolean>`${webhookDeliveries.lease} is not null and ${webhookDeliveries.dueAt} > statement_timestamp()`,
  endedAt: webhookDeliveries.endedAt,
  lastStatus: webhookDeliveries.lastStatus,
  lastDurationMs: webhookDeliveries.lastDurationMs,
  lastAnswer: webhookDeliveries.lastAnswer,
  lastProblem: webhookDeliveries.lastProblem,
};

/** Deliveries to an endpoint before `position`, newest first. */
export function listDeliveryRows(
  db: Db,
  { workspaceId, endpointId }: EndpointRef,
  { position, limit }: { position: Position | undefined; limit: number },
) {
  return db
    .select({
      position: positionColumns(webhookDeliveries.occurredAt, webhookDeliveries.deliveryId),
      delivery: deliveryColumns,
    })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.workspaceId, workspaceId),
        eq(webhookDeliveries.endpointId, endpointId),
        behind(webhookDeliveries.occurredAt, webhookDeliveries.deliveryId, position),
      ),
    )
    .orderBy(desc(webhookDeliveries.occurredAt), desc(webhookDeliveries.deliveryId))
    .limit(limit);
}

export async function findDelivery(db: Db, workspaceId: string, deliveryId: string) {
  const [row] = await db
    .select(deliveryColumns)
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.workspaceId, workspaceId), eq(webhookDeliveries.deliveryId, deliveryId)));
  return row;
}

/**
 * Deletes about `limit` of the oldest messages; returns their number. Bounded by the time of the last of them, not joined
 * by id: without statistics of many rows the server compares each row with all others.
 */
async function deleteOldest(db: Db, within: SQL, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from webhook_deliveries where ${within} and occurred_at <= coalesce((
        select occurred_at from webhook_deliveries where ${within} order by occurred_at offset ${limit - 1} limit 1),
      'infinity')
    returning 1`);
  return rows.length;
}

/** Deletes one batch of an endpoint's messages; returns their number. */
export const deleteMessagesOf = (db: Db, { workspaceId, endpointId }: EndpointRef, limit: number): Promise<number> =>
  deleteOldest(
    db,
    sql`workspace_id = ${idToUuid(workspaceId)}::uuid and endpoint_id = ${idToUuid(endpointId)}::uuid`,
    limit,
  );

/** Deletes one batch of a workspace's messages from before an instant; returns their number. */
export const deleteMessagesBefore = (
  db: Db,
  { workspaceId, to, limit }: { workspaceId: string; to: Date; limit: number },
): Promise<number> =>
  deleteOldest(
    db,
    sql`workspace_id = ${idToUuid(workspaceId)}::uuid and occurred_at < ${to.toISOString()}::timestamptz`,
    limit,
  );

/** Deletes the messages of one stream, for all endpoints, and any other that names it as its device. */
export async function deleteMessagesOfStream(tx: Db, workspaceId: string, streamId: string): Promise<void> {
  await tx.execute(sql`
    delete from webhook_deliveries
    where workspace_id = ${idToUuid(workspaceId)}::uuid and (stream = ${idToUuid(streamId)}::uuid
      or payload like ${`%"device_id":"${streamId}"%`})`);
}

/** Current and previous secrets that are not sealed under a key. */
export async function listSecretsNotUnder(db: Db, keyId: string, limit: number) {
  const isOther = (column: typeof webhookEndpoints.sealedSecret | typeof webhookEndpoints.sealedPreviousSecret) =>
    and(isNotNull(column), not(sql`starts_with(${column}, ${`v1.${keyId}.`})`));
  const rows = await db
    .select({
      endpointId: webhookEndpoints.endpointId,
      secret: webhookEndpoints.sealedSecret,
      previous: webhookEndpoints.sealedPreviousSecret,
    })
    .from(webhookEndpoints)
    .where(or(isOther(webhookEndpoints.sealedSecret), isOther(webhookEndpoints.sealedPreviousSecret)))
    .limit(limit);
  return rows.flatMap(({ endpointId, secret, previous }) =>
    [secret, previous]
      .filter((sealed) => sealed !== null && !sealed.startsWith(`v1.${keyId}.`))
      .map((sealed) => ({ endpointId, sealed: sealed ?? "" })),
  );
}

/** False if neither column of the endpoint contains the old value any more. */
export async function replaceSealed(
  db: Db,
  endpointId: string,
  { old, fresh }: { old: string; fresh: string },
): Promise<boolean> {
  const rows = await db
    .update(webhookEndpoints)
    .set({
      sealedSecret: sql`case when ${webhookEndpoints.sealedSecret} = ${old} then ${fresh} else ${webhookEndpoints.sealedSecret} end`,
      sealedPreviousSecret: sql`case when ${webhookEndpoints.sealedPreviousSecret} = ${old} then ${fresh} else ${webhookEndpoints.sealedPreviousSecret} end`,
    })
    .where(
      and(
        eq(webhookEndpoints.endpointId, endpointId),
        or(eq(webhookEndpoints.sealedSecret, old), eq(webhookEndpoints.sealedPreviousSecret, old)),
      ),
    )
    .returning({ endpointId: webhookEndpoints.endpointId });
  return rows.length > 0;
}

/** Erases previous secrets whose overlap has ended. */
export async function eraseFormerSecrets(db: Db): Promise<void> {
  await db
    .update(webhookEndpoints)
    .set({ sealedPreviousSecret: null, overlapUntil: null })
    .where(lt(webhookEndpoints.overlapUntil, sql`statement_timestamp()`));
}
