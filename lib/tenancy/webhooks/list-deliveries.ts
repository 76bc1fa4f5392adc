import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { decodeCursor, encodeCursor } from "@/lib/platform/cursor";
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
  const position = cursor === undefined ? undefined : decodeCursor("delivery", cursor);
  if (cursor !== undefined && !position)
    throw new AppError("invalid_request", { message: "The cursor does not belong to this list" });
  const size = Math.min(Math.max(1, Math.trunc(limit)), MAX_PAGE);
  const endpoint = { workspaceId, endpointId: requireEndpointId(endpointId) };
  const rows = await listDeliveryRows(context.db, endpoint, { position, limit: size + 1 });
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return {
    deliveries: shown.map(({ delivery }) => delivery),
    nextCursor: rows.length > size && last ? encodeCursor(last.position) : undefined,
  };
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
