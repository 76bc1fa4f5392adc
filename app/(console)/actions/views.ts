"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteView, renameView, saveView } from "@/lib/tenancy/views";

const workspaceId = z.string();
const ofView = z.strictObject({ workspaceId, viewId: z.string() });

export const saveViewAction = defineAction(
  z.strictObject({ workspaceId, name: z.string(), query: z.string().max(2_000) }),
  saveView,
);
export const renameViewAction = defineAction(ofView.extend({ name: z.string() }), renameView);
export const deleteViewAction = defineAction(ofView, deleteView);
