import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { authorize } from "@/lib/tenancy/workspaces";
import { listEndpointRows } from "./queries";

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
  const endpoints = await listEndpoints(context, input);
  const endpoint = endpoints.find(({ endpointId }) => endpointId === input.endpointId);
  if (!endpoint) throw new AppError("not_found", { message: "There is no such webhook in this workspace" });
  return endpoint;
}
