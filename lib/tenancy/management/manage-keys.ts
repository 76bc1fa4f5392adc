import type { z } from "zod";

import type { createManagedKeyOperation, rotateManagedKeyOperation } from "@/lib/contract/manage";
import type { Context } from "@/lib/platform/context";
import { createKey, listKeys, revokeKey, rotateKey } from "@/lib/tenancy/api-keys";
import type { ManagementPrincipal } from "./authenticate-management-key";

type New = { keyId: string; apiKey: string; name: string; expiresAt: Date | null };

const shownNew = ({ keyId, apiKey, name, expiresAt }: New) => ({
  key_id: keyId,
  api_key: apiKey,
  name,
  expires_at: expiresAt?.toISOString() ?? null,
});

/** @throws AppError `forbidden` */
export async function listManagedKeys(context: Context, { workspaceId }: ManagementPrincipal) {
  const keys = await listKeys(context, { workspaceId });
  return {
    keys: keys.map(({ keyId, name, preview, state, expiresAt }) => ({
      key_id: keyId,
      name,
      preview,
      state,
      expires_at: expiresAt?.toISOString() ?? null,
    })),
  };
}

/** @throws AppError `forbidden`, `invalid_request` */
export async function createManagedKey(
  context: Context,
  { workspaceId }: ManagementPrincipal,
  { name, expires_in_seconds: expiresAfterSeconds }: z.output<typeof createManagedKeyOperation.body>,
) {
  return shownNew(await createKey(context, { workspaceId, name, expiresAfterSeconds }));
}

/** @throws AppError `forbidden`, `not_found`, `conflict` */
export async function rotateManagedKey(
  context: Context,
  key: { workspaceId: string; keyId: string },
  { overlap }: z.output<typeof rotateManagedKeyOperation.body>,
) {
  return shownNew(await rotateKey(context, { ...key, overlap }));
}

/** @throws AppError `forbidden`, `not_found` */
export async function revokeManagedKey(context: Context, key: { workspaceId: string; keyId: string }) {
  await revokeKey(context, key);
  return { key_id: key.keyId, state: "revoked" as const };
}
