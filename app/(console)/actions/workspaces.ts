"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { createWorkspace, renameWorkspace, setRetention, setViewLog } from "@/lib/tenancy/workspaces";

const workspaceId = z.string();

const create = defineAction(z.strictObject({ name: z.string() }), async (context, input) => {
  const { workspaceId } = await createWorkspace(context, input);
  return { workspaceId };
});
const rename = defineAction(z.strictObject({ workspaceId, name: z.string() }), renameWorkspace);
const keep = defineAction(z.strictObject({ workspaceId, days: z.int().nullable() }), setRetention);
const logViews = defineAction(z.strictObject({ workspaceId, isOn: z.boolean() }), setViewLog);

export const createWorkspaceAction = async (input: Parameters<typeof create>[0]) => create(input);
export const renameWorkspaceAction = async (input: Parameters<typeof rename>[0]) => rename(input);
export const setRetentionAction = async (input: Parameters<typeof keep>[0]) => keep(input);
export const setViewLogAction = async (input: Parameters<typeof logViews>[0]) => logViews(input);
