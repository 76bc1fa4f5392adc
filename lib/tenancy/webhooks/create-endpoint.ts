import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize, lockWorkspace, requireName } from "@/lib/tenancy/workspaces";
import { countEndpoints, insertEndpoint } from "./queries";
import { requireSubscription, requireTarget } from "./require-endpoint";
import { newSigningSecret, sealSecret } from "./secret";

const MAX_ENDPOINTS = 20;

export type EndpointInput = {
  name: string;
  url: string;
  eventTypes: readonly string[];
  /** Empty for all. */
  webAppIds?: readonly string[];
  statuses?: readonly string[];
};

/**
 * Creates an endpoint. Its signing secret is only ever returned here.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`, `conflict`
 */
export async function createEndpoint(
  context: Context,
  { workspaceId, ...input }: EndpointInput & { workspaceId: string },
) {
  await authorize(context, workspaceId, "webhook.manage");
  const [name, url] = [requireName(input.name), requireTarget(input.url)];
  const subscription = requireSubscription(context, input);
  const [endpointId, secret] = [newId("webhook"), newSigningSecret()];
  await context.db.transaction(async (tx) => {
    // Serialised, so that the limit is exact.
    await lockWorkspace(tx, workspaceId);
    if ((await countEndpoints(tx, workspaceId)) >= MAX_ENDPOINTS)
      throw new AppError("conflict", {
        message: `A workspace can have at most ${MAX_ENDPOINTS} webhooks. Delete one first`,
      });
    await insertEndpoint(tx, {
      workspaceId,
      endpointId,
      name,
      url,
      sealedSecret: sealSecret(secret, endpointId),
      createdBy: actorId(context.actor) || context.actor.kind,
      subscription,
    });
    await recordAudit(tx, context, {
      workspaceId,
      action: "webhook.create",
      target: endpointId,
      detail: { name, url, eventTypes: subscription.eventTypes },
    });
  });
  return { endpointId, name, url, secret, ...subscription };
}
