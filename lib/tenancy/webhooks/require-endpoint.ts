import type { Db } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { isTrialEvent } from "@/lib/contract/webhooks";
import { type Context, requireOperator } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { requireId } from "@/lib/tenancy/workspaces";
import { parseSubscription, type Subscription } from "./domain/subscription";
import { parseTarget } from "./domain/target";
import { lockEndpoint } from "./queries";

const UNKNOWN = "There is no such webhook in this workspace";

export const unknownEndpoint = () => new AppError("not_found", { message: UNKNOWN });

/** @throws AppError `not_found` */
export const requireEndpointId = (endpointId: string): string => requireId("webhook", endpointId, UNKNOWN);

/**
 * The endpoint, locked until the end of the transaction.
 *
 * @throws AppError `not_found`
 */
export async function lockStoredEndpoint(tx: Db, workspaceId: string, endpointId: string) {
  const endpoint = await lockEndpoint(tx, { workspaceId, endpointId: requireEndpointId(endpointId) });
  if (!endpoint) throw unknownEndpoint();
  return endpoint;
}

/** The URL in its stored form. @throws AppError `invalid_request` */
export function requireTarget(text: string): string {
  const parsed = parseTarget(text, env.WEBHOOKS_ALLOW_PRIVATE);
  if (typeof parsed === "string") throw new AppError("invalid_request", { message: parsed });
  return parsed.url;
}

/**
 * Validates a subscription. Trials belong to the instance, so only operators can subscribe to them.
 *
 * @throws AppError `invalid_request`, `forbidden`
 */
export function requireSubscription(
  context: Pick<Context, "actor">,
  given: Parameters<typeof parseSubscription>[0],
): Subscription {
  const parsed = parseSubscription(given);
  if (typeof parsed === "string") throw new AppError("invalid_request", { message: parsed });
  if (parsed.eventTypes.some(isTrialEvent)) requireOperator(context);
  return parsed;
}
