"use server";

import { z } from "zod";

import { defineAction } from "@/app/_server/action";
import {
  createKey,
  endOverlap,
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

const create = defineAction(
  z.strictObject({ workspaceId, name: z.string(), expiresAfterDays: z.int().min(1).max(3650).optional() }),
  async (context, { expiresAfterDays, ...key }) => {
    const expiresAfterSeconds = expiresAfterDays === undefined ? undefined : expiresAfterDays * DAY_SECONDS;
    const { apiKey, name } = await createKey(context, { ...key, expiresAfterSeconds });
    return { secret: apiKey, name };
  },
);

const rotate = defineAction(ofKey.extend({ overlap: z.enum(overlaps) }), async (context, input) => {
  const { apiKey, name } = await rotateKey(context, input);
  return { secret: apiKey, name };
});

const end = defineAction(ofKey, endOverlap);
const revoke = defineAction(ofKey, revokeKey);
const revokeUnused = defineAction(
  z.strictObject({ workspaceId, keyIds: z.array(z.string()).max(1_000) }),
  revokeUnusedKeys,
);

export const createKeyAction = async (input: Parameters<typeof create>[0]) => create(input);
export const rotateKeyAction = async (input: Parameters<typeof rotate>[0]) => rotate(input);
export const endOverlapAction = async (input: Parameters<typeof end>[0]) => end(input);
export const revokeKeyAction = async (input: Parameters<typeof revoke>[0]) => revoke(input);
export const revokeUnusedKeysAction = async (input: Parameters<typeof revokeUnused>[0]) => revokeUnused(input);
