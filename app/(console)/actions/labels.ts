"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { LABELS } from "@/lib/contract/labels";
import { setLabel } from "@/lib/visits/labels";

export const setLabelAction = defineAction(
  z.strictObject({
    workspaceId: z.string(),
    subject: z.strictObject({
      imprint: z.string().optional(),
      deviceId: z.string().optional(),
      accountId: z.string().optional(),
    }),
    label: z.enum(LABELS).nullable(),
  }),
  setLabel,
);
