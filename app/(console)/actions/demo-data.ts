"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { beginDemoWorkspace, createDemoWorkspace, deleteDemoWorkspace } from "@/lib/operations/demo";

/** The data is still being stored when the workspace opens. */
export const createDemoWorkspaceAction = defineAction(z.strictObject({}), async (context) => {
  const { workspaceId } = await createDemoWorkspace(context);
  beginDemoWorkspace(context, { workspaceId });
  return { workspaceId };
});
export const deleteDemoWorkspaceAction = defineAction(z.strictObject({ workspaceId: z.string() }), deleteDemoWorkspace);
