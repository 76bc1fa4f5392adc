import type { Db } from "@/db/client";
import { announce } from "@/lib/tenancy/webhooks";

type Key = { workspaceId: string; keyId: string; name: string; expiresAt: Date | null };

/** The key as shown in webhook messages. */
export const keyData = ({ workspaceId, keyId, name, expiresAt }: Key) => ({
  workspace_id: workspaceId,
  key_id: keyId,
  name,
  expires_at: expiresAt?.toISOString() ?? null,
});

/** Announces a change of a key to the workspace's webhook endpoints. Call it in the transaction that makes the change. */
export const announceKey = (tx: Db, type: "key.created" | "key.revoked", key: Key): Promise<void> =>
  announce(tx, { type, streamId: key.keyId, data: keyData(key) }, { workspaceId: key.workspaceId });

export const announceRotation = (tx: Db, key: Key, replacedBy: string): Promise<void> =>
  announce(
    tx,
    { type: "key.rotated", streamId: key.keyId, data: { ...keyData(key), replaced_by: replacedBy } },
    { workspaceId: key.workspaceId },
  );
