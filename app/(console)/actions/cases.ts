"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { addToCase, openCase } from "@/lib/visits/investigation";

const items = z.array(z.string().max(100)).max(100);

export const openCaseAction = defineAction(
  z.strictObject({ workspaceId: z.string(), name: z.string(), items, note: z.string() }),
  openCase,
);
export const addToCaseAction = defineAction(
  z.strictObject({ workspaceId: z.string(), caseId: z.string(), items, note: z.string() }),
  addToCase,
);
