"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteAccount, exportAccount } from "@/lib/visits/account-map";

const ofAccount = z.strictObject({ workspaceId: z.string(), accountRef: z.string() });

export const exportAccountAction = defineAction(ofAccount, exportAccount);
export const deleteAccountAction = defineAction(ofAccount, deleteAccount);
