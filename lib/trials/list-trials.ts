import { type Context, requireOperator } from "@/lib/platform/context";
import { PRODUCT_CODE } from "@/lib/contract/product";
import type { IntentStatus } from "@/lib/contract/trial";
import { AppError } from "@/lib/contract/errors";
import { idPattern } from "@/lib/contract/ids";
import { parsePurchaseSearch } from "./domain/purchase-search";
import { findProductSwitch } from "./queries-grants";
import { listPurchaseRows } from "./queries-purchases";
import { servicePorts, type TrialPorts } from "./run-flow";

const MAX_ROWS = 500;

type ListTrials = {
  statuses?: readonly IntentStatus[];
  /** An intent id, trial id, transaction hash, payer or origin. */
  search?: string | undefined;
  /** `before` of the previous page. */
  before?: string | undefined;
  isOldestFirst?: boolean;
  limit?: number;
};

/**
 * Purchases with their payment and the usage of their trial, newest first, optionally filtered by status, for example the
 * reconciliation queue.
 *
 * @throws AppError `forbidden`, `invalid_request`
 */
export async function listTrials(context: Context, input: ListTrials = {}) {
  requireOperator(context);
  const { statuses = [], before, isOldestFirst = false, limit = MAX_ROWS } = input;
  const search = input.search === undefined ? undefined : parsePurchaseSearch(input.search);
  if ((input.search !== undefined && !search) || (before !== undefined && !idPattern("intent").test(before)))
    throw new AppError("invalid_request", { message: "Specify an intent, trial, transaction, payer or origin" });
  const size = Math.min(Math.max(1, Math.trunc(limit)), MAX_ROWS);
  const rows = await listPurchaseRows(context.db, { statuses, search, before, isOldestFirst }, size + 1);
  const items = rows.slice(0, size);
  return { items, before: rows.length > size ? items.at(-1)?.intentId : undefined };
}

export type Purchase = Awaited<ReturnType<typeof listTrials>>["items"][number];

/**
 * Whether the product can be bought now, and if not, why.
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
    missing: isEnabled ? missing : ["An operator took the product off sale", ...missing],
  };
}
