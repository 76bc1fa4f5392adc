import type { Context } from "@/lib/context";
import { PRODUCT_CODE } from "@/lib/contract/product";
import type { IntentStatus } from "@/lib/contract/trial";
import { requireOperator } from "@/lib/workspaces";
import { findProductSwitch } from "./queries-grants";
import { listIntentRows } from "./queries-intents";
import { servicePorts, type TrialPorts } from "./run-flow";

const MOST_ROWS = 500;

/** Statuses in which a payment waits for its outcome. */
export const UNRESOLVED_STATUSES = [
  "payment_in_progress",
  "reconciliation_pending",
  "provisioning",
] as const satisfies readonly IntentStatus[];

/**
 * Purchases, the latest first; `statuses` narrows them, e.g. to the reconciliation queue.
 *
 * @throws AppError `forbidden`
 */
export async function listTrials(context: Context, input: { statuses?: readonly IntentStatus[] } = {}) {
  requireOperator(context);
  return await listIntentRows(context.db, input.statuses ?? [], MOST_ROWS);
}

/**
 * Whether the product can be bought now, and what stands in the way.
 *
 * @throws AppError `forbidden`
 */
export async function readProductState(context: Context, ports: TrialPorts = servicePorts()) {
  requireOperator(context);
  const isEnabled = await findProductSwitch(context.db, PRODUCT_CODE);
  const availability = await ports.payments.readAvailability();
  const missing = availability.available ? [] : availability.missing;
  return {
    productCode: PRODUCT_CODE,
    isEnabled,
    isAvailable: isEnabled && availability.available,
    price: availability.available ? availability.terms.quote : undefined,
    missing: isEnabled ? missing : ["The operator took the product off sale", ...missing],
  };
}
