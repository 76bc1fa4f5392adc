import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { WebhookEventType } from "@/lib/contract/webhooks";
import { visitMessageParts } from "./domain/visit-message";

/** Statements and parts of statements that put messages into the queue, in the transaction of what they tell of. */

const utc = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Message = Record<"event" | "type" | "stream" | "payload" | "at", SQL>;

/** One message for each endpoint `e` that listens, of the rows of `from`. */
const insertMessages = ({ event, type, stream, payload, at }: Message, from: SQL, isMeant: SQL): SQL => sql`
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at,
      due_at)
    select e.workspace_id, gen_random_uuid(), e.endpoint_id, ${event}, ${type}, ${stream}, ${payload}, ${at},
      statement_timestamp()
    from ${from} cross join webhook_endpoints e
    where e.state = 'active' and ${type} = any(e.event_types) and ${isMeant}`;

/** Whether an endpoint of the workspace listens to visits, as a value for the statement that resolves an environment. */
export const hasVisitListener = (workspace: SQL): SQL => sql`exists (
    select 1 from webhook_endpoints e
    where e.workspace_id = ${workspace} and e.state = 'active' and 'visit.recorded' = any(e.event_types))`;

const isEmptyOrHas = (list: SQL, value: SQL): SQL => sql`(${list} = '{}' or ${value} = any(${list}))`;

type Visit = Record<"workspace" | "event" | "webApp" | "status" | "device" | "recordedAt" | "messageEnd", SQL>;

/** Queues the messages of a visit, as a part of the statement that stores it. `from` has its device and time. */
export const queueVisit = (visit: Visit, from: SQL): SQL =>
  insertMessages(
    {
      event: visit.event,
      type: sql`'visit.recorded'`,
      stream: visit.device,
      payload: sql`concat(${sql.raw(`'${visitMessageParts.head}'`)}, ${utc(visit.recordedAt)},
        ${sql.raw(`'${visitMessageParts.device}'`)}, replace(${visit.device}::text, '-', ''), ${visit.messageEnd}::text)`,
      at: visit.recordedAt,
    },
    from,
    sql`e.workspace_id = ${visit.workspace} and ${isEmptyOrHas(sql`e.web_app_ids`, visit.webApp)}
      and ${isEmptyOrHas(sql`e.statuses`, visit.status)}`,
  );

export type QueuedEvent = {
  type: WebhookEventType;
  eventId: string;
  /** What the event is of: messages of one stream are sent in their order. */
  streamId: string;
  data: unknown;
};

/** The workspace whose endpoints are told, or those of the whole instance. */
export type Listeners = { workspaceId: string } | "instance";

/** Queues the messages of an event, one for each endpoint that listens. */
export async function insertEvent(
  db: Db,
  { type, eventId, streamId, data }: QueuedEvent,
  to: Listeners,
): Promise<void> {
  const of = to === "instance" ? sql`true` : sql`e.workspace_id = ${idToUuid(to.workspaceId)}::uuid`;
  const body = JSON.stringify(data);
  const message = {
    event: sql`${idToUuid(eventId)}::uuid`,
    type: sql`${type}::text`,
    stream: sql`${idToUuid(streamId)}::uuid`,
    payload: sql`concat('{"type":"', ${type}::text, '","timestamp":"', ${utc(sql`moment.at`)}, '","data":', ${body}::text, '}')`,
    at: sql`moment.at`,
  };
  await db.execute(insertMessages(message, sql`(select statement_timestamp() as at) moment`, of));
}

/** Queues a message for one endpoint, whatever it listens to. */
export async function insertTestMessage(
  db: Db,
  {
    workspaceId,
    endpointId,
    eventId,
    deliveryId,
  }: Record<"workspaceId" | "endpointId" | "eventId" | "deliveryId", string>,
): Promise<void> {
  const body = JSON.stringify({ workspace_id: workspaceId, endpoint_id: endpointId });
  await db.execute(sql`
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at,
      due_at)
    select ${idToUuid(workspaceId)}::uuid, ${idToUuid(deliveryId)}::uuid, ${idToUuid(endpointId)}::uuid,
      ${idToUuid(eventId)}::uuid, 'webhook.test', ${idToUuid(deliveryId)}::uuid,
      concat('{"type":"webhook.test","timestamp":"', ${utc(sql`moment.at`)}, '","data":', ${body}::text, '}'),
      moment.at, moment.at
    from (select statement_timestamp() as at) moment`);
}

/** Queues a delivery's message once more, in a stream of its own. */
export async function insertCopy(
  db: Db,
  { workspaceId, deliveryId, copyId }: Record<"workspaceId" | "deliveryId" | "copyId", string>,
): Promise<void> {
  await db.execute(sql`
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at,
      due_at)
    select workspace_id, ${idToUuid(copyId)}::uuid, endpoint_id, event_id, type, ${idToUuid(copyId)}::uuid, payload,
      statement_timestamp(), statement_timestamp()
    from webhook_deliveries
    where workspace_id = ${idToUuid(workspaceId)}::uuid and delivery_id = ${idToUuid(deliveryId)}::uuid`);
}

/** False when the event was announced before. */
export async function insertAnnouncement(db: Db, workspaceId: string, eventId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into webhook_announcements (workspace_id, event_id)
    values (${idToUuid(workspaceId)}::uuid, ${idToUuid(eventId)}::uuid) on conflict do nothing returning 1`);
  return rows.length > 0;
}

/** Workspaces with an endpoint that listens to one of the types. */
export async function listListeningWorkspaces(db: Db, types: readonly WebhookEventType[]): Promise<string[]> {
  const rows = await db.execute<{ workspace_id: string }>(sql`
    select distinct workspace_id from webhook_endpoints
    where state = 'active' and event_types && ${`{${types.join()}}`}::text[]`);
  return rows.map((row) => uuidToId("workspace", row.workspace_id));
}
