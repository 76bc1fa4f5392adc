import type { Context } from "@/lib/platform/context";
import { UNRESOLVED_STATUSES } from "@/lib/contract/trial";
import { listTrials, type Purchase } from "@/lib/trials";
import { describeAmount } from "@/lib/trials/payments";
import type { QueueAnswer } from "../_components/queue";

const MAX_SHOWN = 50;

/** The amount of a purchase; undefined before a payment was presented. */
export const amountOf = ({ network, asset, amountAtomic }: Pick<Purchase, "network" | "asset" | "amountAtomic">) =>
  network === null || asset === null || amountAtomic === null
    ? undefined
    : { atomic: amountAtomic, text: describeAmount({ network, asset, amountAtomic }) };

/** Payments with unknown outcome, oldest first. */
export async function answerQueue(context: Context): Promise<QueueAnswer> {
  const { items, before } = await listTrials(context, {
    statuses: UNRESOLVED_STATUSES,
    isOldestFirst: true,
    limit: MAX_SHOWN,
  });
  return {
    at: context.now.toISOString(),
    hasMore: before !== undefined,
    items: items.map((row) => ({
      intentId: row.intentId,
      status: row.status,
      since: (row.attemptedAt ?? row.createdAt).toISOString(),
      payer: row.payer ?? "",
      amount: amountOf(row)?.text ?? `${row.amountAtomic ?? ""} atomic units`,
      reconcileAttempts: row.reconcileAttempts,
      lastReconciledAt: row.lastReconciledAt?.toISOString() ?? null,
      validUntil: row.validBefore === null ? null : new Date(row.validBefore * 1000).toISOString(),
    })),
  };
}
