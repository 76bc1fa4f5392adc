import { INTENT_STATUSES } from "@/lib/contract/trial";
import {
  listTrials,
  readProductState,
  recheckTrial,
  revokeTrial,
  showTrial,
  switchProduct,
  UNRESOLVED_STATUSES,
} from "@/lib/trials";
import type { Command } from "../command";

const intentOption = { value: "ID", description: "Trial intent, `ati_…`", isRequired: true } as const;
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

export const trialCommands: readonly Command[] = [
  {
    name: "trial list",
    summary: "List purchases of trials, the latest first, and what hinders new ones",
    options: {
      status: {
        value: "STATUS",
        description: "Only purchases in this status; `unresolved` is the queue of payments without an outcome",
        choices: [...INTENT_STATUSES, QUEUE],
      },
    },
    async run(context, given) {
      const wanted = given.optional("status");
      const statuses = wanted === QUEUE ? UNRESOLVED_STATUSES : INTENT_STATUSES.filter((status) => status === wanted);
      const { isAvailable, missing } = await readProductState(context);
      const rows = await listTrials(context, { statuses });
      const trials = rows.map((row) => ({
        intent_id: row.intentId,
        status: row.status,
        origin: row.origin,
        created_at: row.createdAt,
        trial_id: row.trialId,
        expires_at: row.trialExpiresAt,
        next_look_at: row.nextLookAt,
      }));
      return { available: isAvailable, missing, trials };
    },
  },
  {
    name: "trial show",
    summary: "Show a purchase with its payments and everything that happened to it",
    options: { intent: intentOption },
    async run(context, given) {
      const { intent, origin, attempts, events, grant } = await showTrial(context, { intentId: given.text("intent") });
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
        })),
        events: events.map(({ at, event, fromStatus, toStatus, detail }) => ({
          at,
          event,
          from: fromStatus,
          to: toStatus,
          detail,
        })),
      };
    },
  },
  {
    name: "trial recheck",
    summary: "Look now what became of an unresolved payment",
    options: { intent: intentOption },
    async run(context, given) {
      const { intentId, status, nextLookAt } = await recheckTrial(context, { intentId: given.text("intent") });
      return { intent_id: intentId, status, next_look_at: nextLookAt ?? null };
    },
  },
  {
    name: "trial revoke",
    summary: "End a purchase or its trial",
    options: { intent: intentOption },
    async run(context, given) {
      const { intentId, status } = await revokeTrial(context, { intentId: given.text("intent") });
      return { intent_id: intentId, status };
    },
  },
  productSwitch("product enable", "Put the trial on sale", true),
  productSwitch("product disable", "Take the trial off sale; purchases that have begun go on", false),
];
