import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { once } from "@/db/once";
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
    where e.state = 'active' and (e.retry_at is null or e.retry_at <= ${NOW}) and ${NOW} >= (
      select d.due_at from webhook_deliveries d cross join lateral ${once(sql`d.state = 'pending'`)}
      where d.workspace_id = e.workspace_id and d.endpoint_id = e.endpoint_id and d.state = 'pending'
      order by d.due_at limit 1)
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

/** A message's columns that never change and have no default. */
export const FIXED = sql`workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at`;

/**
 * Changes messages whose rows are in `from`, with the values of `columns` there. As an insert that always conflicts, it
 * finds each of them by its key. A plain update would join them with all messages of the workspace, and read all of
 * these, as long as the planner's statistics are older than a backlog.
 */
export const changeMessages = (from: SQL, columns: readonly string[]): SQL => {
  const names = sql.raw(columns.join(", "));
  const changes = sql.raw(columns.map((name) => `${name} = excluded.${name}`).join(", "));
  return sql`insert into webhook_deliveries as m (${FIXED}, ${names}) select ${FIXED}, ${names} from ${from}
      on conflict (workspace_id, delivery_id) do update set ${changes}`;
};

/**
 * The first waiting message of a stream, which is given as a range so that only the index by streams has this order.
 *
 * @param once see `once`
 * @param lock for a message that is changed: one that is deleted meanwhile must not be inserted again
 */
const firstOf = (stream: SQL, once: SQL, { condition = sql`true`, lock = sql`` } = {}): SQL => sql`
        select f.* from (
          select h.* from webhook_deliveries h cross join lateral ${once}
          where h.workspace_id = ${WORKSPACE} and h.endpoint_id = ${ENDPOINT} and h.stream between ${stream} and ${stream}
            and h.state = 'pending' and ${condition}
          order by h.stream, h.occurred_at fetch first row with ties ${lock}) f
        order by f.delivery_id limit 1`;

/**
 * Examines due messages and claims those that are the head of their stream. A message behind an earlier one becomes due
 * when that one does, so that blocked messages cannot crowd out sendable ones.
 */
const claimStatement = statement<ClaimRow>(
  sql`with candidate as (
      select d.*, head.delivery_id = d.delivery_id as is_head, head.lease is not null as is_head_sent,
        head.due_at as head_due
      from webhook_deliveries d cross join lateral ${once(sql`d.state = 'pending'`)},
        lateral (${firstOf(sql`d.stream`, once(sql`d.state = 'pending'`))}) head
      where d.workspace_id = ${WORKSPACE} and d.endpoint_id = ${ENDPOINT} and d.state = 'pending' and d.due_at <= ${NOW}
      order by d.due_at limit ${LOOKED_AT} for update of d skip locked
    ), numbered as (
      select c.*, row_number() over (partition by c.is_head order by c.delivery_id) as number from candidate c
    ), changed as (
      select ${FIXED}, attempts + is_head::int as attempts, case when is_head then ${LEASE} end as lease,
        case when is_head then coalesce(first_attempt_at, ${NOW}) else first_attempt_at end as first_attempt_at,
        case when is_head then ${NOW} + make_interval(secs => ${placeholder("leaseSeconds")}::float8)
          when is_head_sent then ${NOW} + interval '1 second'
          else greatest(head_due, ${NOW} + interval '1 second') end as due_at
      from numbered where not is_head or number <= ${placeholder("limit")}::int
    ), claimed as (
      ${changeMessages(sql`changed`, ["attempts", "lease", "first_attempt_at", "due_at"])}
      returning lease is not null as is_head, delivery_id, event_id, type, payload
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

const ANSWER = sql`${placeholder("status")}::int as last_status, ${placeholder("duration")}::int as last_duration_ms,
  ${placeholder("answer")}::text as last_answer, ${placeholder("problem")}::text as last_problem`;
const ANSWER_COLUMNS = ["last_status", "last_duration_ms", "last_answer", "last_problem"];
const answerValues = ({ status, durationMs, answer, problem }: Answer) => ({
  status: status === undefined ? null : String(status),
  duration: String(durationMs),
  answer,
  problem,
});

/** The message that is being sent with a lease; none if the lease was lost. */
const HELD = sql`(
      select h.* from webhook_deliveries h cross join lateral ${once(sql`h.state = 'pending'`)}
      where h.workspace_id = ${WORKSPACE} and h.delivery_id between ${DELIVERY} and ${DELIVERY}
        and h.lease = ${LEASE} and h.state = 'pending'
      order by h.delivery_id limit 1 for update of h) held`;
type Held = Pick<Claimed, "workspaceId" | "endpointId" | "deliveryId" | "lease">;
const heldValues = (held: Held) => ({ ...valuesOf(held), delivery: idToUuid(held.deliveryId), lease: held.lease });

/** Ends a message and makes the next one of its stream, which waited for it, due. */
const endStatement = statement<{ stream: string }>(
  sql`with ended as (
      ${changeMessages(
        sql`(select ${FIXED}, ${placeholder("state")}::text as state, due_at, null::uuid as lease, ${NOW} as ended_at, ${ANSWER}
          from ${HELD}) ended`,
        ["state", "due_at", "lease", "ended_at", ...ANSWER_COLUMNS],
      )}
      returning stream, delivery_id
    ), next as (
      ${firstOf(sql`(select stream from ended)`, once(sql`(select true from ended)`), {
        condition: sql`h.delivery_id <> (select delivery_id from ended)`,
        lock: sql`for update of h`,
      })}
    ), brought as (
      ${changeMessages(sql`(select ${FIXED}, ${NOW} as due_at from next) brought`, ["due_at"])} where m.lease is null
    )
    select stream from ended`,
  "end webhook delivery",
);

/** False if the lease was lost: another process has claimed the message since. */
export async function endDelivery(
  db: Db,
  held: Held,
  { state, answer, shift }: { state: "delivered" | "failed"; answer: Answer; shift: number },
): Promise<boolean> {
  return (await endStatement(db, heldValues(held), answerValues(answer), { state, shift })).length > 0;
}

const retryStatement = statement<{ one: number }>(
  sql`${changeMessages(
    sql`(select ${FIXED}, null::uuid as lease, ${NOW} + make_interval(secs => ${placeholder("after")}::float8) as due_at,
      ${ANSWER} from ${HELD}) retried`,
    ["lease", "due_at", ...ANSWER_COLUMNS],
  )} returning 1 as one`,
  "retry webhook delivery",
);

export const retryDelivery = (
  db: Db,
  held: Held,
  { afterSeconds, answer, shift }: { afterSeconds: number; answer: Answer; shift: number },
) => retryStatement(db, heldValues(held), answerValues(answer), { after: String(afterSeconds), shift });

const releaseStatement = statement<{ one: number }>(
  sql`${changeMessages(
    sql`(select ${FIXED}, null::uuid as lease, ${NOW} as due_at, attempts - 1 as attempts from ${HELD}) released`,
    ["lease", "due_at", "attempts"],
  )} returning 1 as one`,
  "release webhook delivery",
);

/** Releases a message whose attempt was aborted, so that another process can send it at once. */
export const releaseDelivery = (db: Db, held: Held, shift: number) => releaseStatement(db, heldValues(held), { shift });
