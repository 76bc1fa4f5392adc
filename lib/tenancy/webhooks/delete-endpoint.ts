import { inBatches } from "@/db/batches";
import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { deleteMessagesOf, removeEndpoint } from "./queries";
import { lockStoredEndpoint } from "./require-endpoint";

const BATCH = 5_000;

/**
 * Deletes an endpoint with its messages, including those waiting to be sent.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function deleteEndpoint(context: Context, input: { workspaceId: string; endpointId: string }) {
  const { workspaceId, endpointId } = input;
  await authorize(context, workspaceId, "webhook.manage");
  await context.db.transaction(async (tx) => {
    const { name, url } = await lockStoredEndpoint(tx, workspaceId, endpointId);
    await removeEndpoint(tx, { workspaceId, endpointId });
    await recordAudit(tx, context, {
      workspaceId,
      action: "webhook.delete",
      target: endpointId,
      detail: { name, url },
    });
  });
  // Without their endpoint, messages are not sent. If this is interrupted, the purge job deletes the rest.
  await inBatches(BATCH, (limit) => deleteMessagesOf(context.db, { workspaceId, endpointId }, limit));
  return { endpointId };
}
