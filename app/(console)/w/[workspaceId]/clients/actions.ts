"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { revokeAllClients, revokeClient } from "@/lib/interfaces/oauth";

const revoke = defineAction(z.strictObject({ workspaceId: z.string(), grantId: z.string() }), revokeClient);
const revokeAll = defineAction(z.strictObject({ workspaceId: z.string(), isAll: z.boolean() }), revokeAllClients);

export const revokeClientAction = async (input: Parameters<typeof revoke>[0]) => revoke(input);
export const revokeAllClientsAction = async (input: Parameters<typeof revokeAll>[0]) => revokeAll(input);
