import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { requireOrigin } from "./create-intent";
import { type Buyer, parseBuyer } from "./domain/buyer";
import { deleteBlock, insertBlock, listBlockRows } from "./queries-blocks";
import { requireReason } from "./require-reason";

const MAX_BLOCKS = 500;

/** @throws AppError `invalid_request`, `invalid_origin` */
function requireBuyer(text: string): Buyer {
  const buyer = parseBuyer(text);
  if (!buyer) throw new AppError("invalid_request", { message: "Specify an origin or a payer's address" });
  if (buyer.kind === "payer") return buyer;
  return { kind: "origin", value: requireOrigin(buyer.value) };
}

/**
 * Stops selling trials to an origin or a payer. Submitted payments are still completed, and active trials stay.
 * Idempotent.
 *
 * @throws AppError `forbidden`, `invalid_request`, `invalid_origin`
 */
export async function blockBuyer(context: Context, input: { buyer: string; reason?: string | undefined }) {
  requireOperator(context);
  const buyer = requireBuyer(input.buyer);
  const reason = requireReason(input.reason) ?? null;
  await context.db.transaction(async (tx) => {
    if (!(await insertBlock(tx, buyer, reason))) return;
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "trial.block",
      target: buyer.value,
      detail: { kind: buyer.kind, reason },
    });
  });
  return buyer;
}

/**
 * Resumes selling trials to an origin or a payer.
 *
 * @throws AppError `forbidden`, `invalid_request`, `invalid_origin`, `not_found`
 */
export async function unblockBuyer(context: Context, input: { buyer: string }) {
  requireOperator(context);
  const buyer = requireBuyer(input.buyer);
  await context.db.transaction(async (tx) => {
    if (!(await deleteBlock(tx, buyer))) throw new AppError("not_found", { message: "That buyer is not blocked" });
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "trial.unblock",
      target: buyer.value,
      detail: { kind: buyer.kind },
    });
  });
  return buyer;
}

/**
 * Blocked origins and payers, newest first, up to `MAX_BLOCKS`.
 *
 * @throws AppError `forbidden`
 */
export async function listBlocks(context: Context) {
  requireOperator(context);
  return await listBlockRows(context.db, MAX_BLOCKS);
}
