"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { createAlert, deleteAlert, updateAlert } from "@/lib/visits/alerts";

const workspaceId = z.string();

const alert = z.strictObject({
  workspaceId,
  viewId: z.string(),
  name: z.string(),
  condition: z.string(),
  threshold: z.number(),
  windowMinutes: z.number(),
  mailTo: z.array(z.string()).max(200),
  quietFrom: z.string().nullable(),
  quietTo: z.string().nullable(),
  zone: z.string(),
});

export const createAlertAction = defineAction(alert, createAlert);
export const updateAlertAction = defineAction(alert.extend({ alertId: z.string() }), updateAlert);
export const deleteAlertAction = defineAction(z.strictObject({ workspaceId, alertId: z.string() }), deleteAlert);
