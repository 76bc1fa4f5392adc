import { INTENT_STATUSES, UNRESOLVED_STATUSES } from "@/lib/contract/trial";
import {
  blockBuyer,
  listBlocks,
  listTrials,
  recordRefund,
  readProductState,
  readTrialTotals,
  recheckTrial,
  revokeTrial,
  showTrial,
  switchProduct,
  unblockBuyer,
} from "@/lib/trials";
import type { Command } from "../command";

const intentOption = { value: "ID", description: "Trial intent, `ati_…`", isRequired: true } as const;
const buyerOption = { value: "BUYER", description: "Origin, or address of the payer", isRequired: true } as const;
const QUEUE = "unresolved";

const productSwitch = (name: string, summary: string, isEnabled: boolean): Command => ({
  name,
  summary,
  options: {},
  async run(context) {
    const { productCode } = await switchProduct(context, { isEnabled });
    return { product_code: productCode, enabled: isEnabled };
  },
});

/** An operator's options for a payment that the chain has reverted. */
const TAKEN_BACK_CHOICE =
  "A chain reorganisation has reverted the payment. The trial continues until `trial revoke` ends it; `trial block` keeps the payer from buying again. Nobody is charged again automatically.";

export const trialCommands: readonly Command[] = [
  {
    name: "trial list",
    summary: "List trial purchases, newest first, and what prevents new ones, if anything",
    options: {
      status: {
        value: "STATUS",
        description: "Only purchases with this status; `unresolved` is the queue of payments without an outcome",
        choices: [...INTENT_STATUSES, QUEUE],
      },
    },
    async run(context, given) {
      const wanted = given.optional("status");
      const statuses = wanted === QUEUE ? UNRESOLVED_STATUSES : INTENT_STATUSES.filter((status) => status === wanted);
      const { isAvailable, missing } = await readProductState(context);
      const { items } = await listTrials(context, { statuses });
      const trials = items.map((row) => ({
        intent_id: row.intentId,
        status: row.status,
        origin: row.origin,
        created_at: row.createdAt,
        payer: row.payer,
        amount_atomic: row.amountAtomic,
        transaction: row.transaction,
        refunded: row.isRefunded,
        trial_id: row.trialId,
        expires_at: row.trialExpiresAt,
        next_look_at: row.nextReconcileAt,
      }));
      return { available: isAvailable, missing, trials };
    },
  },
  {
    name: "trial show",
    summary: "Show a purchase with its payments and history",
    options: { intent: intentOption },
    async run(context, given) {
      const { intent, origin, attempts, events, refunds, grant } = await showTrial(context, {
        intentId: given.text("intent"),
      });
      return {
        intent_id: intent.intentId,
        status: intent.status,
        origin,
        trial_id: intent.trial?.trialId ?? null,
        workspace_id: intent.trial?.workspaceId ?? null,
        used_reports: grant?.unitsUsed ?? null,
        expires_at: intent.trial?.expiresAt ?? intent.payUntil,
        attempts: attempts.map((row) => ({
          created_at: row.createdAt,
          outcome: row.outcome ?? QUEUE,
          payer: row.payer,
          amount_atomic: row.amountAtomic,
          transaction: row.transaction,
          evidence: row.evidence,
          final_at: row.finalAt,
          taken_back_at: row.takenBackAt,
        })),
        ...(attempts.some(({ takenBackAt }) => takenBackAt !== null) && { choice: TAKEN_BACK_CHOICE }),
        refunds: refunds.map(({ notedAt, transaction, note }) => ({ noted_at: notedAt, transaction, note })),
        events: events.map(({ at, event, fromStatus, toStatus, requestId, detail }) => ({
          at,
          event,
          from: fromStatus,
          to: toStatus,
          request_id: requestId,
          detail,
        })),
      };
    },
  },
  {
    name: "trial recheck",
    summary: "Reconcile an unresolved payment now",
    options: { intent: intentOption },
    async run(context, given) {
      const { intentId, status, nextReconcileAt } = await recheckTrial(context, { intentId: given.text("intent") });
      return { intent_id: intentId, status, next_look_at: nextReconcileAt ?? null };
    },
  },
  {
    name: "trial revoke",
    summary: "End a purchase or its trial",
    options: {
      intent: intentOption,
      reason: { value: "TEXT", description: "Why, for the history and the audit log" },
    },
    async run(context, given) {
      const { intentId, status } = await revokeTrial(context, {
        intentId: given.text("intent"),
        reason: given.optional("reason"),
      });
      return { intent_id: intentId, status };
    },
  },
  {
    name: "trial note-refund",
    summary: "Record a refund that you sent; the service moves no money",
    options: {
      intent: intentOption,
      transaction: { value: "HASH", description: "Your transfer, 0x and 64 hex digits", isRequired: true },
      note: { value: "TEXT", description: "Note for your accounting" },
    },
    async run(context, given) {
      const { intentId, transaction } = await recordRefund(context, {
        intentId: given.text("intent"),
        transaction: given.text("transaction"),
        note: given.optional("note"),
      });
      return { intent_id: intentId, transaction };
    },
  },
  {
    name: "trial totals",
    summary: "Show purchases, payments and refunds by day, and amounts by token",
    options: { days: { value: "N", description: "Number of days up to today (UTC); default 30" } },
    async run(context, given) {
      const { days, income } = await readTrialTotals(context, { days: Number(given.optional("days") ?? 30) });
      return {
        days,
        income: income.map(({ network, asset, paidAtomic, refundedAtomic }) => ({
          network,
          asset,
          paid_atomic: paidAtomic,
          refunded_atomic: refundedAtomic,
        })),
      };
    },
  },
  {
    name: "trial block",
    summary: "Stop selling trials to an origin or a payer; payments already submitted are completed",
    options: { buyer: buyerOption, reason: { value: "TEXT", description: "Why, for the list and the audit log" } },
    async run(context, given) {
      return await blockBuyer(context, { buyer: given.text("buyer"), reason: given.optional("reason") });
    },
  },
  {
    name: "trial unblock",
    summary: "Sell trials to an origin or a payer again",
    options: { buyer: buyerOption },
    async run(context, given) {
      return await unblockBuyer(context, { buyer: given.text("buyer") });
    },
  },
  {
    name: "trial blocks",
    summary: "List blocked origins and payers",
    options: {},
    async run(context) {
      const rows = await listBlocks(context);
      return { blocks: rows.map(({ blockedAt, ...row }) => ({ ...row, blocked_at: blockedAt })) };
    },
  },
  productSwitch("product enable", "Put the trial on sale", true),
  productSwitch("product disable", "Take the trial off sale; started purchases are not affected", false),
];
