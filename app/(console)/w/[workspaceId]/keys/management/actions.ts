"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import { createManagementKey, revokeManagementKey } from "@/lib/tenancy/management";

const workspaceId = z.string();
const DAY_SECONDS = 24 * 3600;

export const createManagementKeyAction = defineAction(
  z.strictObject({
    workspaceId,
    name: z.string(),
    scopes: z.array(z.string()).max(10),
    expiresAfterDays: z.int().min(1).max(366),
  }),
  async (context, { expiresAfterDays, ...key }) => {
    const { secret } = await createManagementKey(context, {
      ...key,
      expiresAfterSeconds: expiresAfterDays * DAY_SECONDS,
    });
    return { secret };
  },
);
export const revokeManagementKeyAction = defineAction(
  z.strictObject({ workspaceId, keyId: z.string() }),
  revokeManagementKey,
);
