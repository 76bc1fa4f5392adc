import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { setActive, setPaused } from "./queries";
import { lockStoredEndpoint } from "./require-endpoint";

type Key = { workspaceId: string; endpointId: string };

/**
 * Sends nothing to an endpoint until it is resumed. Waiting messages are kept; events that occur meanwhile are not queued.
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
 * Resumes sending to an endpoint that was paused, or disabled by the service. Waiting messages become due at once.
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
