"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { createWorkspace, renameWorkspace } from "@/lib/workspaces";

const create = defineAction(z.strictObject({ name: z.string() }), async (context, input) => {
  const { workspaceId } = await createWorkspace(context, input);
  return { workspaceId };
});
const rename = defineAction(z.strictObject({ workspaceId: z.string(), name: z.string() }), renameWorkspace);

export const createWorkspaceAction = async (input: Parameters<typeof create>[0]) => create(input);
export const renameWorkspaceAction = async (input: Parameters<typeof rename>[0]) => rename(input);
