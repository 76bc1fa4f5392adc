import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { WebhookEventType } from "@/lib/contract/webhooks";

/** The sender's statements on the queue. Each is short: no lock is held while a message is sent. */

const { placeholder } = sql;

/** The database time, shifted by tests. */
const NOW = sql`(now() + make_interval(secs => ${placeholder("shift")}::float8))`;
const WORKSPACE = sql`${placeholder("workspace")}::uuid`;
const ENDPOINT = sql`${placeholder("endpoint")}::uuid`;
const DELIVERY = sql`${placeholder("delivery")}::uuid`;
const LEASE = sql`${placeholder("lease")}::uuid`;

export type EndpointRef = { workspaceId: string; endpointId: string };
const valuesOf = ({ workspaceId, endpointId }: EndpointRef) => ({
  workspace: idToUuid(workspaceId),
  endpoint: idToUuid(endpointId),
});

const readyEndpoints = statement<{ workspace_id: string; endpoint_id: string; failures: number }>(
  sql`select e.workspace_id, e.endpoint_id, e.failures from webhook_endpoints e
    where e.state = 'active' and (e.retry_at is null or e.retry_at <= ${NOW}) and exists (
      select 1 from webhook_deliveries d where d.workspace_id = e.workspace_id and d.endpoint_id = e.endpoint_id
        and d.state = 'pending' and d.due_at <= ${NOW})
    order by random() limit 200`,
  "list webhook endpoints to send to",
);

/** Endpoints with due messages, in random order, so that none is always last. */
export async function listReadyEndpoints(db: Db, shift: number): Promise<(EndpointRef & { failures: number })[]> {
  const rows = await readyEndpoints(db, { shift });
  return rows.map((row) => ({
    workspaceId: uuidToId("workspace", row.workspace_id),
    endpointId: uuidToId("webhook", row.endpoint_id),
    failures: row.failures,
  }));
}

export type Claimed = EndpointRef & {
  deliveryId: string;
  eventId: string;
  type: WebhookEventType;
  payload: string;
  lease: string;
  url: string;
  sealedSecret: string;
  /** Only during the overlap. */
  sealedPreviousSecret: string | null;
};

type ClaimRow = {
  is_head: boolean;
  delivery_id: string;
  event_id: string;
  type: WebhookEventType;
  payload: string;
  url: string;
  sealed_secret: string;
  sealed_previous_secret: string | null;
};

/** Due messages examined per claim. */
const LOOKED_AT = 200;

/**
 * Examines due messages and claims those that are the head of their stream. A message behind an earlier one becomes due
 * when that one does, so that blocked messages cannot crowd out sendable ones.
 */
const claimStatement = statement<ClaimRow>(
  sql`with candidate as (
      select d.delivery_id, head.delivery_id = d.delivery_id as is_head, head.lease is not null as is_head_sent,
        head.due_at as head_due
      from webhook_deliveries d, lateral (
        select h.delivery_id, h.due_at, h.lease from webhook_deliveries h
        where h.workspace_id = ${WORKSPACE} and h.endpoint_id = ${ENDPOINT} and h.stream = d.stream
          and h.state = 'pending'
        order by h.occurred_at, h.delivery_id limit 1) head
      where d.workspace_id = ${WORKSPACE} and d.endpoint_id = ${ENDPOINT} and d.state = 'pending' and d.due_at <= ${NOW}
      order by d.due_at limit ${LOOKED_AT} for update of d skip locked
    ), numbered as (
      select c.*, row_number() over (partition by c.is_head order by c.delivery_id) as number from candidate c
    ), claimed as (
      update webhook_deliveries d set
        lease = case when c.is_head then ${LEASE} end,
        attempts = d.attempts + c.is_head::int,
        first_attempt_at = case when c.is_head then coalesce(d.first_attempt_at, ${NOW}) else d.first_attempt_at end,
        due_at = case when c.is_head then ${NOW} + make_interval(secs => ${placeholder("leaseSeconds")}::float8)
          when c.is_head_sent then ${NOW} + interval '1 second'
          else greatest(c.head_due, ${NOW} + interval '1 second') end
      from numbered c
      where d.workspace_id = ${WORKSPACE} and d.delivery_id = c.delivery_id
        and (not c.is_head or c.number <= ${placeholder("limit")}::int)
      returning c.is_head, d.delivery_id, d.event_id, d.type, d.payload
    )
    select c.*, e.url, e.sealed_secret,
      case when e.overlap_until > ${NOW} then e.sealed_previous_secret end as sealed_previous_secret
    from claimed c join webhook_endpoints e on e.workspace_id = ${WORKSPACE} and e.endpoint_id = ${ENDPOINT}`,
  "claim webhook deliveries",
);

/**
 * Claims due messages of an endpoint, with a lease of `leaseSeconds`.
 *
 * @returns `looked`: the number of messages examined, claimed or not
 */
export async function claimDeliveries(
  db: Db,
  endpoint: EndpointRef,
  { lease, ...how }: { limit: number; lease: string; leaseSeconds: number; shift: number },
): Promise<{ claimed: Claimed[]; looked: number }> {
  const rows = await claimStatement(db, { ...valuesOf(endpoint), ...how, lease });
  const claimed = rows
    .filter((row) => row.is_head)
    .map((row) => ({
      ...endpoint,
      deliveryId: uuidToId("delivery", row.delivery_id),
      eventId: uuidToId("event", row.event_id),
      type: row.type,
      payload: row.payload,
      lease,
      url: row.url,
      sealedSecret: row.sealed_secret,
      sealedPreviousSecret: row.sealed_previous_secret,
    }));
  return { claimed, looked: rows.length };
}

/** The outcome of an attempt, as stored. */
export type Answer = {
  status: number | undefined;
  durationMs: number;
  /** The first characters of the response body. */
  answer: string;
  /** Why there was no response. */
  problem: string;
};

const answerColumns = sql`last_status = ${placeholder("status")}::int, last_duration_ms = ${placeholder("duration")}::int,
  last_answer = ${placeholder("answer")}, last_problem = ${placeholder("problem")}`;
const answerValues = ({ status, durationMs, answer, problem }: Answer) => ({
  status: status === undefined ? null : String(status),
  duration: String(durationMs),
  answer,
  problem,
});

const OF_LEASE = sql`workspace_id = ${WORKSPACE} and delivery_id = ${DELIVERY} and lease = ${LEASE} and state = 'pending'`;
type Held = Pick<Claimed, "workspaceId" | "endpointId" | "deliveryId" | "lease">;
const heldValues = (held: Held) => ({ ...valuesOf(held), delivery: idToUuid(held.deliveryId), lease: held.lease });

/** Ends a message and makes the next one of its stream, which waited for it, due. */
const endStatement = statement<{ stream: string }>(
  sql`with ended as (
      update webhook_deliveries set state = ${placeholder("state")}, lease = null, ended_at = ${NOW}, ${answerColumns}
      where ${OF_LEASE} returning stream, delivery_id
    ), brought as (
      update webhook_deliveries d set due_at = ${NOW}
      from (select n.delivery_id from webhook_deliveries n, ended
        where n.workspace_id = ${WORKSPACE} and n.endpoint_id = ${ENDPOINT} and n.stream = ended.stream
          and n.state = 'pending' and n.delivery_id <> ended.delivery_id
        order by n.occurred_at, n.delivery_id limit 1) next
      where d.workspace_id = ${WORKSPACE} and d.delivery_id = next.delivery_id and d.lease is null
    )
    select stream from ended`,
  "end webhook delivery",
);

/** False if the lease was lost: another process has claimed the message since. */
export async function endDelivery(
  db: Db,
  held: Held,
  state: "delivered" | "failed",
  answer: Answer,
  shift: number,
): Promise<boolean> {
  return (await endStatement(db, heldValues(held), answerValues(answer), { state, shift })).length > 0;
}

const retryStatement = statement<{ one: number }>(
  sql`update webhook_deliveries set lease = null, due_at = ${NOW} + make_interval(secs => ${placeholder("after")}::float8),
    ${answerColumns} where ${OF_LEASE} returning 1 as one`,
  "retry webhook delivery",
);

export const retryDelivery = (db: Db, held: Held, afterSeconds: number, answer: Answer, shift: number) =>
  retryStatement(db, heldValues(held), answerValues(answer), { after: String(afterSeconds), shift });

const releaseStatement = statement<{ one: number }>(
  sql`update webhook_deliveries set lease = null, due_at = ${NOW}, attempts = attempts - 1 where ${OF_LEASE}
    returning 1 as one`,
  "release webhook delivery",
);

/** Releases a message whose attempt was aborted, so that another process can send it at once. */
export const releaseDelivery = (db: Db, held: Held, shift: number) => releaseStatement(db, heldValues(held), { shift });
