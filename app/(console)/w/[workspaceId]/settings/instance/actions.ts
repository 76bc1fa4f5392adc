"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { setRedirectRules, switchMcp } from "@/lib/interfaces/oauth";

const turn = defineAction(z.strictObject({ isEnabled: z.boolean() }), switchMcp);
const allow = defineAction(z.strictObject({ rules: z.array(z.string()).max(100) }), setRedirectRules);

export const switchMcpAction = async (input: Parameters<typeof turn>[0]) => turn(input);
export const setRedirectRulesAction = async (input: Parameters<typeof allow>[0]) => allow(input);
