import type { Db } from "@/db/client";
import { announce } from "@/lib/tenancy/webhooks";

type Key = { workspaceId: string; keyId: string; name: string; expiresAt: Date | null };

/** The key as messages to endpoints show it. */
export const keyData = ({ workspaceId, keyId, name, expiresAt }: Key) => ({
  workspace_id: workspaceId,
  key_id: keyId,
  name,
  expires_at: expiresAt?.toISOString() ?? null,
});

/** Tells the endpoints of a workspace of a change of a key, in the transaction that makes it. */
export const announceKey = (tx: Db, type: "key.created" | "key.revoked", key: Key): Promise<void> =>
  announce(tx, { type, streamId: key.keyId, data: keyData(key) }, { workspaceId: key.workspaceId });

export const announceRotation = (tx: Db, key: Key, replacedBy: string): Promise<void> =>
  announce(
    tx,
    { type: "key.rotated", streamId: key.keyId, data: { ...keyData(key), replaced_by: replacedBy } },
    { workspaceId: key.workspaceId },
  );
