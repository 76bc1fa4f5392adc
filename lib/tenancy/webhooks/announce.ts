import type { Db } from "@/db/client";
import { newId } from "@/lib/contract/ids";
import type { WebhookData, WebhookEventType } from "@/lib/contract/webhooks";
import { uuidToId } from "@/lib/contract/ids";
import { sha256 } from "@/lib/platform/secrets";
import { insertAnnouncement, insertEvent, type Listeners } from "./queries-queue";

type Announced<Type extends WebhookEventType> = {
  type: Type;
  /** Id of the object that the event concerns. Events of one stream are sent in order. */
  streamId: string;
  data: WebhookData<Type>;
};

/** Queues an event's messages for all subscribed endpoints. Call it in the transaction that causes the event. */
export async function announce<Type extends WebhookEventType>(
  tx: Db,
  event: Announced<Type>,
  listeners: Listeners,
): Promise<void> {
  await insertEvent(tx, { ...event, eventId: newId("event") }, listeners);
}

/**
 * As `announce`, for an event that is detected by polling and may be found several times. Only the first call has an
 * effect.
 *
 * @param name identifies the event within its workspace and type
 * @returns whether this was the first call
 */
export async function announceOnce<Type extends WebhookEventType>(
  tx: Db,
  event: Announced<Type> & { name: string; workspaceId: string },
): Promise<boolean> {
  const { workspaceId, name, ...announced } = event;
  const digest = Buffer.from(sha256(`${workspaceId} ${event.type} ${name}`)).toString("hex");
  const eventId = uuidToId("event", digest.slice(0, 32));
  if (!(await insertAnnouncement(tx, workspaceId, eventId))) return false;
  await insertEvent(tx, { ...announced, eventId }, { workspaceId });
  return true;
}
