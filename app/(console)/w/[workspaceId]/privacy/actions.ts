"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { deleteAccount, exportAccountAtOnce } from "@/lib/visits/account-map";

const ofAccount = z.strictObject({ workspaceId: z.string(), accountRef: z.string() });

export const exportAccountAction = defineAction(ofAccount, exportAccountAtOnce);
export const deleteAccountAction = defineAction(ofAccount, deleteAccount);
