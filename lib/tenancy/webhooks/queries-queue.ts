import { type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import type { WebhookEventType } from "@/lib/contract/webhooks";
import { visitMessageParts } from "./domain/visit-message";

/** Statements and fragments that queue messages, in the transaction of the event that they report. */

const utc = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Message = Record<"event" | "type" | "stream" | "payload" | "at", SQL>;

/** One message per subscribed endpoint `e` and row of `from`. */
const insertMessages = ({ event, type, stream, payload, at }: Message, from: SQL, isMeant: SQL): SQL => sql`
    insert into webhook_deliveries (workspace_id, delivery_id, endpoint_id, event_id, type, stream, payload, occurred_at,
      due_at)
    select e.workspace_id, gen_random_uuid(), e.endpoint_id, ${event}, ${type}, ${stream}, ${payload}, ${at},
      statement_timestamp()
    from ${from} cross join webhook_endpoints e
    where e.state = 'active' and ${type} = any(e.event_types) and ${isMeant}`;

/** SQL condition: an endpoint of the workspace subscribes to visits. For the statement that resolves an environment. */
export const hasVisitListener = (workspace: SQL): SQL => sql`exists (
    select 1 from webhook_endpoints e
    where e.workspace_id = ${workspace} and e.state = 'active' and 'visit.recorded' = any(e.event_types))`;

const isEmptyOrHas = (list: SQL, value: SQL): SQL => sql`(${list} = '{}' or ${value} = any(${list}))`;

type Visit = Record<"workspace" | "event" | "webApp" | "status" | "device" | "recordedAt" | "messageEnd", SQL>;

/** Queues a visit's messages, as part of the statement that stores it. `from` provides its device and time. */
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
  /** Id of the object that the event concerns. Messages of one stream are sent in order. */
  streamId: string;
  data: unknown;
};

/** Whose endpoints receive the event: those of a workspace, or of the whole instance. */
export type Listeners = { workspaceId: string } | "instance";

/** Queues an event's messages, one per subscribed endpoint. */
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

/** Queues a test message for one endpoint, regardless of its subscription. */
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

/** Queues a delivery's message again, in a stream of its own. */
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

/** False if the event was announced before. */
export async function insertAnnouncement(db: Db, workspaceId: string, eventId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into webhook_announcements (workspace_id, event_id)
    values (${idToUuid(workspaceId)}::uuid, ${idToUuid(eventId)}::uuid) on conflict do nothing returning 1`);
  return rows.length > 0;
}

/** Workspaces with an endpoint that subscribes to any of the types. */
export async function listListeningWorkspaces(db: Db, types: readonly WebhookEventType[]): Promise<string[]> {
  const rows = await db.execute<{ workspace_id: string }>(sql`
    select distinct workspace_id from webhook_endpoints
    where state = 'active' and event_types && ${`{${types.join()}}`}::text[]`);
  return rows.map((row) => uuidToId("workspace", row.workspace_id));
}
