import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize, requireName } from "@/lib/tenancy/workspaces";
import type { EndpointInput } from "./create-endpoint";
import { updateEndpoint as writeEndpoint } from "./queries";
import { lockStoredEndpoint, requireSubscription, requireTarget } from "./require-endpoint";

type UpdateEndpoint = { workspaceId: string; endpointId: string } & Partial<EndpointInput>;

/**
 * Changes the given fields of an endpoint, effective from the next event. Waiting messages go to the new URL.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function updateEndpoint(context: Context, { workspaceId, endpointId, ...input }: UpdateEndpoint) {
  await authorize(context, workspaceId, "webhook.manage");
  return await context.db.transaction(async (tx) => {
    const stored = await lockStoredEndpoint(tx, workspaceId, endpointId);
    const name = requireName(input.name ?? stored.name);
    const url = input.url === undefined ? stored.url : requireTarget(input.url);
    const subscription = requireSubscription(context, { ...stored, ...input });
    await writeEndpoint(tx, { workspaceId, endpointId }, { name, url, subscription });
    await recordAudit(tx, context, {
      workspaceId,
      action: "webhook.update",
      target: endpointId,
      detail: {
        name,
        url,
        eventTypes: subscription.eventTypes,
        webAppIds: subscription.webAppIds,
        statuses: subscription.statuses,
      },
    });
    return { endpointId, name, url, ...subscription };
  });
}
