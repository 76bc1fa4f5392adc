"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import {
  createKey,
  endOverlap,
  extendOverlap,
  type Overlap,
  OVERLAP_SECONDS,
  revokeKey,
  revokeUnusedKeys,
  rotateKey,
} from "@/lib/tenancy/api-keys";

const workspaceId = z.string();
const keyId = z.string();
const ofKey = z.strictObject({ workspaceId, keyId });
const overlaps = Object.keys(OVERLAP_SECONDS) as [Overlap, ...Overlap[]];
const DAY_SECONDS = 24 * 3600;

export const createKeyAction = defineAction(
  z.strictObject({ workspaceId, name: z.string(), expiresAfterDays: z.int().min(1).max(3650).optional() }),
  async (context, { expiresAfterDays, ...key }) => {
    const expiresAfterSeconds = expiresAfterDays === undefined ? undefined : expiresAfterDays * DAY_SECONDS;
    const { apiKey, name } = await createKey(context, { ...key, expiresAfterSeconds });
    return { secret: apiKey, name };
  },
);

export const rotateKeyAction = defineAction(ofKey.extend({ overlap: z.enum(overlaps) }), async (context, input) => {
  const { apiKey, name } = await rotateKey(context, input);
  return { secret: apiKey, name };
});

const extensions = overlaps.filter((overlap) => overlap !== "0");
export const extendOverlapAction = defineAction(
  ofKey.extend({ overlap: z.enum(extensions) }),
  async (context, input) => {
    await extendOverlap(context, input);
  },
);
export const endOverlapAction = defineAction(ofKey, endOverlap);
export const revokeKeyAction = defineAction(ofKey, revokeKey);
export const revokeUnusedKeysAction = defineAction(
  z.strictObject({ workspaceId, keyIds: z.array(z.string()).max(1_000) }),
  revokeUnusedKeys,
);
