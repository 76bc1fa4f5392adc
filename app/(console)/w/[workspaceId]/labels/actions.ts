"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { importLabels } from "@/lib/visits/labels";

/** The form sends files of up to 1 MB, in which a character is at least one byte. */
const MAX_CHARACTERS = 1_000_000;

export const importLabelsAction = defineAction(
  z.strictObject({ workspaceId: z.string(), csv: z.string().max(MAX_CHARACTERS) }),
  importLabels,
);
