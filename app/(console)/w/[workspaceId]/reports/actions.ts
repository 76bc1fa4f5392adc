"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteView, renameView, saveView } from "@/lib/tenancy/views";

const workspaceId = z.string();
const ofView = z.strictObject({ workspaceId, viewId: z.string() });

const save = defineAction(z.strictObject({ workspaceId, name: z.string(), query: z.string().max(2_000) }), saveView);
const rename = defineAction(ofView.extend({ name: z.string() }), renameView);
const remove = defineAction(ofView, deleteView);

export const saveViewAction = async (input: Parameters<typeof save>[0]) => save(input);
export const renameViewAction = async (input: Parameters<typeof rename>[0]) => rename(input);
export const deleteViewAction = async (input: Parameters<typeof remove>[0]) => remove(input);
