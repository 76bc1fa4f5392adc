"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { blockBuyer, noteRefund, recheckTrial, revokeTrial, switchProduct, unblockBuyer } from "@/lib/trials";

const intentId = z.string();

const recheck = defineAction(z.strictObject({ intentId }), (context, input) => recheckTrial(context, input));
const revoke = defineAction(z.strictObject({ intentId, reason: z.string() }), revokeTrial);
const refund = defineAction(z.strictObject({ intentId, transaction: z.string(), note: z.string() }), noteRefund);
const turn = defineAction(z.strictObject({ isEnabled: z.boolean() }), switchProduct);
const block = defineAction(z.strictObject({ buyer: z.string(), reason: z.string() }), blockBuyer);
const unblock = defineAction(z.strictObject({ buyer: z.string() }), unblockBuyer);

export const recheckTrialAction = async (input: Parameters<typeof recheck>[0]) => recheck(input);
export const revokeTrialAction = async (input: Parameters<typeof revoke>[0]) => revoke(input);
export const noteRefundAction = async (input: Parameters<typeof refund>[0]) => refund(input);
export const switchProductAction = async (input: Parameters<typeof turn>[0]) => turn(input);
export const blockBuyerAction = async (input: Parameters<typeof block>[0]) => block(input);
export const unblockBuyerAction = async (input: Parameters<typeof unblock>[0]) => unblock(input);
