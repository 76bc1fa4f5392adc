"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { setRedirectRules, switchMcp } from "@/lib/interfaces/oauth";

export const switchMcpAction = defineAction(z.strictObject({ isEnabled: z.boolean() }), switchMcp);
export const setRedirectRulesAction = defineAction(
  z.strictObject({ rules: z.array(z.string()).max(100) }),
  setRedirectRules,
);
