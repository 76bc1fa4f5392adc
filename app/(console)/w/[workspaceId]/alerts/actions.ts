"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { createAlert, deleteAlert } from "@/lib/visits/alerts";

const workspaceId = z.string();

export const createAlertAction = defineAction(
  z.strictObject({
    workspaceId,
    viewId: z.string(),
    name: z.string(),
    condition: z.string(),
    threshold: z.number(),
    windowMinutes: z.number(),
    mailTo: z.array(z.string()).max(200),
    quietFrom: z.string().optional(),
    quietTo: z.string().optional(),
    zone: z.string(),
  }),
  createAlert,
);
export const deleteAlertAction = defineAction(z.strictObject({ workspaceId, alertId: z.string() }), deleteAlert);
