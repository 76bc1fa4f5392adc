import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { findEndpoint, listEndpointRows } from "./queries";
import { requireEndpointId, unknownEndpoint } from "./require-endpoint";

/**
 * The endpoints of a workspace without their secrets, oldest first.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function listEndpoints(context: Context, { workspaceId }: { workspaceId: string }) {
  await authorize(context, workspaceId, "webhook.read");
  return await listEndpointRows(context.db, workspaceId);
}

/**
 * One endpoint of a workspace, without its secret.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readEndpoint(context: Context, input: { workspaceId: string; endpointId: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "webhook.read");
  const endpoint = await findEndpoint(context.db, { workspaceId, endpointId: requireEndpointId(input.endpointId) });
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}
