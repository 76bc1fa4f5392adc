"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { switchRule } from "@/lib/visits/rules";

const mode = z.enum(["observe", "enforce"]);

export const switchRuleAction = defineAction(
  z.strictObject({ workspaceId: z.string(), ruleId: z.string(), mode }),
  (context, { workspaceId, ...change }) => switchRule(context, { scope: { workspaceId }, ...change }),
);
export const switchRuleOfInstanceAction = defineAction(
  z.strictObject({ ruleId: z.string(), mode }),
  (context, change) => switchRule(context, { scope: "instance", ...change }),
);
