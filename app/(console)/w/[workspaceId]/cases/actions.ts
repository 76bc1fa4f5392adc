"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import {
  assignCase,
  CASE_STATUSES,
  commentOnCase,
  deleteCase,
  deleteComment,
  renameCase,
  setCaseStatus,
} from "@/lib/tenancy/cases";
import { takeFromCase } from "@/lib/visits/investigation";

const ofCase = z.strictObject({ workspaceId: z.string(), caseId: z.string() });

export const renameCaseAction = defineAction(ofCase.extend({ name: z.string() }), renameCase);
export const setCaseStatusAction = defineAction(ofCase.extend({ status: z.enum(CASE_STATUSES) }), setCaseStatus);
export const assignCaseAction = defineAction(ofCase.extend({ assigneeId: z.string() }), assignCase);
export const commentOnCaseAction = defineAction(ofCase.extend({ text: z.string() }), commentOnCase);
export const deleteCommentAction = defineAction(ofCase.extend({ entryId: z.string() }), deleteComment);
export const takeFromCaseAction = defineAction(ofCase.extend({ item: z.string() }), takeFromCase);
export const deleteCaseAction = defineAction(ofCase, deleteCase);
