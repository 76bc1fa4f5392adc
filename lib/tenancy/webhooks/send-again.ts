import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import { readDelivery } from "./list-deliveries";
import { insertCopy, insertTestMessage } from "./queries-queue";
import { lockStoredEndpoint } from "./require-endpoint";

type Stored = Awaited<ReturnType<typeof lockStoredEndpoint>>;

/** @throws AppError `conflict` */
function requireActive({ state }: Pick<Stored, "state">): void {
  if (state !== "active")
    throw new AppError("conflict", {
      message: `This webhook is ${state}: resume it first, then its messages are sent`,
    });
}

/**
 * Queues a delivery's message again, outside the order of its stream. Its `webhook-id` stays the same, so the receiver can
 * recognise it.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` if it is still waiting, or its endpoint is not active
 */
export async function resendDelivery(context: Context, input: { workspaceId: string; deliveryId: string }) {
  const { workspaceId, deliveryId } = input;
  await authorize(context, workspaceId, "webhook.manage");
  const { endpointId, state, eventId } = await readDelivery(context, input);
  if (state === "pending") throw new AppError("conflict", { message: "This message is still waiting to be sent" });
  const copyId = newId("delivery");
  await context.db.transaction(async (tx) => {
    requireActive(await lockStoredEndpoint(tx, workspaceId, endpointId));
    await insertCopy(tx, { workspaceId, deliveryId, copyId });
    await recordAudit(tx, context, {
      workspaceId,
      action: "webhook.resend",
      target: endpointId,
      detail: { eventId, deliveryId: copyId },
    });
  });
  return { deliveryId: copyId, eventId };
}

/**
 * Queues a message of type `webhook.test` for an endpoint, regardless of its subscription.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict` if it is not active
 */
export async function sendTestEvent(context: Context, input: { workspaceId: string; endpointId: string }) {
  const { workspaceId, endpointId } = input;
  await authorize(context, workspaceId, "webhook.manage");
  const [deliveryId, eventId] = [newId("delivery"), newId("event")];
  await context.db.transaction(async (tx) => {
    requireActive(await lockStoredEndpoint(tx, workspaceId, endpointId));
    await insertTestMessage(tx, { workspaceId, endpointId, eventId, deliveryId });
    await recordAudit(tx, context, { workspaceId, action: "webhook.test", target: endpointId, detail: { deliveryId } });
  });
  return { deliveryId, eventId };
}
