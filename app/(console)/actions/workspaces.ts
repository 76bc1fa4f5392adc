"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { createWorkspace, renameWorkspace, setRetention, setViewLog } from "@/lib/tenancy/workspaces";

const workspaceId = z.string();

export const createWorkspaceAction = defineAction(z.strictObject({ name: z.string() }), async (context, input) => {
  const { workspaceId } = await createWorkspace(context, input);
  return { workspaceId };
});
export const renameWorkspaceAction = defineAction(z.strictObject({ workspaceId, name: z.string() }), renameWorkspace);
export const setRetentionAction = defineAction(z.strictObject({ workspaceId, days: z.int().nullable() }), setRetention);
export const setViewLogAction = defineAction(z.strictObject({ workspaceId, isOn: z.boolean() }), setViewLog);
