"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { importLabels } from "@/lib/visits/labels";

const MAX_CHARACTERS = 900_000;

export const importLabelsAction = defineAction(
  z.strictObject({ workspaceId: z.string(), csv: z.string().max(MAX_CHARACTERS) }),
  importLabels,
);
