"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { blockBuyer, recordRefund, recheckTrial, revokeTrial, switchProduct, unblockBuyer } from "@/lib/trials";

const intentId = z.string();

export const recheckTrialAction = defineAction(z.strictObject({ intentId }), (context, input) =>
  recheckTrial(context, input),
);
export const revokeTrialAction = defineAction(z.strictObject({ intentId, reason: z.string() }), revokeTrial);
export const recordRefundAction = defineAction(
  z.strictObject({ intentId, transaction: z.string(), note: z.string() }),
  recordRefund,
);
export const switchProductAction = defineAction(z.strictObject({ isEnabled: z.boolean() }), switchProduct);
export const blockBuyerAction = defineAction(z.strictObject({ buyer: z.string(), reason: z.string() }), blockBuyer);
export const unblockBuyerAction = defineAction(z.strictObject({ buyer: z.string() }), unblockBuyer);
