"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { revokeAllClients, revokeClient } from "@/lib/interfaces/oauth";

export const revokeClientAction = defineAction(
  z.strictObject({ workspaceId: z.string(), grantId: z.string() }),
  revokeClient,
);
export const revokeAllClientsAction = defineAction(
  z.strictObject({ workspaceId: z.string(), isAll: z.boolean() }),
  revokeAllClients,
);
