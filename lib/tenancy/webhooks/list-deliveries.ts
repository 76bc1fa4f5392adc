import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { pageOf, pageSize, requirePosition } from "@/lib/platform/cursor";
import { authorize } from "@/lib/tenancy/workspaces";
import { findDelivery, listDeliveryRows } from "./queries";
import { requireEndpointId } from "./require-endpoint";
import { requireId } from "@/lib/tenancy/workspaces";

const MAX_PAGE = 100;

type ListDeliveries = { workspaceId: string; endpointId: string; cursor?: string | undefined; limit?: number };

/**
 * One page of an endpoint's messages of the last 30 days, newest first.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request` for an invalid cursor
 */
export async function listDeliveries(
  context: Context,
  { workspaceId, endpointId, cursor, limit = 50 }: ListDeliveries,
) {
  await authorize(context, workspaceId, "webhook.read");
  const position = requirePosition("delivery", cursor, "list");
  const size = pageSize(limit, MAX_PAGE);
  const endpoint = { workspaceId, endpointId: requireEndpointId(endpointId) };
  const rows = await listDeliveryRows(context.db, endpoint, { position, limit: size + 1 });
  const { shown, nextCursor } = pageOf(rows, size, (row) => row.position);
  return { deliveries: shown.map(({ delivery }) => delivery), nextCursor };
}

/**
 * One message with the last response to it.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function readDelivery(context: Context, input: { workspaceId: string; deliveryId: string }) {
  const { workspaceId, deliveryId } = input;
  await authorize(context, workspaceId, "webhook.read");
  const unknown = "There is no such delivery in this workspace";
  const delivery = await findDelivery(context.db, workspaceId, requireId("delivery", deliveryId, unknown));
  if (!delivery) throw new AppError("not_found", { message: unknown });
  return delivery;
}
