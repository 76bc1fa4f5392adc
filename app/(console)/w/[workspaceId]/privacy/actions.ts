"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteAccount, exportAccount } from "@/lib/visits/account-map";

const ofAccount = z.strictObject({ workspaceId: z.string(), accountRef: z.string() });

const save = defineAction(ofAccount, exportAccount);
const remove = defineAction(ofAccount, deleteAccount);

export const exportAccountAction = async (input: Parameters<typeof save>[0]) => save(input);
export const deleteAccountAction = async (input: Parameters<typeof remove>[0]) => remove(input);
