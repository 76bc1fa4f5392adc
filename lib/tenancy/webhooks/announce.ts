import type { Db } from "@/db/client";
import { newId } from "@/lib/contract/ids";
import type { WebhookData, WebhookEventType } from "@/lib/contract/webhooks";
import { uuidToId } from "@/lib/contract/ids";
import { sha256 } from "@/lib/platform/secrets";
import { insertAnnouncement, insertEvent, type Listeners } from "./queries-queue";

type Announced<Type extends WebhookEventType> = {
  type: Type;
  /** Identifier of what the event is of: its events are sent in their order. */
  streamId: string;
  data: WebhookData<Type>;
};

/** Queues the messages of an event for whoever listens. Call it with the transaction that makes the event. */
export async function announce<Type extends WebhookEventType>(
  tx: Db,
  event: Announced<Type>,
  listeners: Listeners,
): Promise<void> {
  await insertEvent(tx, { ...event, eventId: newId("event") }, listeners);
}

/**
 * The same of an event that is found by looking for it, maybe several times: only the first time counts.
 *
 * @param name names the event in its workspace
 * @returns whether it was the first time
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
