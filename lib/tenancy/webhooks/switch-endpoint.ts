import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { setActive, setPaused } from "./queries";
import { lockStoredEndpoint } from "./require-endpoint";

type Key = { workspaceId: string; endpointId: string };

/**
 * Sends nothing to an endpoint until it is resumed. What waits for it is kept; what happens meanwhile is not told.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function pauseEndpoint(context: Context, { workspaceId, endpointId }: Key) {
  await authorize(context, workspaceId, "webhook.manage");
  return await context.db.transaction(async (tx) => {
    const { state, name } = await lockStoredEndpoint(tx, workspaceId, endpointId);
    if (state !== "paused") {
      await setPaused(tx, { workspaceId, endpointId });
      await recordAudit(tx, context, { workspaceId, action: "webhook.pause", target: endpointId, detail: { name } });
    }
    return { endpointId, state: "paused" as const };
  });
}

/**
 * Sends to an endpoint again that was paused, or that the service disabled: first what waits for it.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function resumeEndpoint(context: Context, { workspaceId, endpointId }: Key) {
  await authorize(context, workspaceId, "webhook.manage");
  return await context.db.transaction(async (tx) => {
    const { state, name } = await lockStoredEndpoint(tx, workspaceId, endpointId);
    if (state !== "active") {
      await setActive(tx, { workspaceId, endpointId });
      await recordAudit(tx, context, {
        workspaceId,
        action: "webhook.resume",
        target: endpointId,
        detail: { name, from: state },
      });
    }
    return { endpointId, state: "active" as const };
  });
}
