import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize } from "@/lib/tenancy/workspaces";
import { announceRotation } from "./announce-key";
import { createdBy } from "./create-key";
import type { KeyState } from "./domain/key-state";
import { DEFAULT_OVERLAP, type Overlap, OVERLAP_SECONDS } from "./domain/overlap";
import { newSecret } from "./key-hash";
import { lockStoredKey } from "./lock-stored-key";
import { insertKey, setReplaced } from "./queries";

type RotateKey = { workspaceId: string; keyId: string; overlap?: Overlap | undefined };

const REFUSALS: Record<Exclude<KeyState, "active">, string> = {
  revoked: "A revoked key cannot be rotated. Create a new one",
  expired: "An expired key cannot be rotated. Create a new one",
  overlap: "This key is already being replaced. Rotate its replacement instead",
};

/**
 * Replaces a key by a new one with the same name and lifetime. The old key is accepted until the overlap ends, but never
 * beyond its own expiry; without an overlap it is refused at once.
 *
 * @throws AppError `not_found`, `forbidden`, `conflict`
 */
export async function rotateKey(context: Context, input: RotateKey) {
  const { workspaceId, keyId: oldKeyId, overlap = DEFAULT_OVERLAP } = input;
  await authorize(context, workspaceId, "apiKey.issue");
  const keyId = newId("apiKey");
  return await context.db.transaction(async (tx) => {
    const old = await lockStoredKey(tx, workspaceId, oldKeyId);
    if (old.state !== "active") throw new AppError("conflict", { message: REFUSALS[old.state] });
    const { apiKey, ...stored } = newSecret(old.kind);
    const expiresAfterSeconds = old.expiresAt
      ? Math.max(60, Math.round((old.expiresAt.getTime() - old.createdAt.getTime()) / 1000))
      : undefined;
    const { name, kind } = old;
    const expiresAt = await insertKey(tx, {
      workspaceId,
      keyId,
      name,
      kind,
      createdBy: createdBy(context),
      expiresAfterSeconds,
      ...stored,
    });
    const oldExpiresAt = await setReplaced(tx, workspaceId, oldKeyId, {
      replacedBy: keyId,
      overlapSeconds: OVERLAP_SECONDS[overlap],
    });
    await recordAudit(tx, context, {
      workspaceId,
      action: "api_key.rotate",
      target: oldKeyId,
      detail: { replacedBy: keyId, overlap, preview: stored.preview },
    });
    await announceRotation(tx, { workspaceId, keyId: oldKeyId, name, expiresAt: oldExpiresAt }, keyId);
    return {
      keyId,
      apiKey,
      name,
      kind,
      expiresAt,
      replaces: oldKeyId,
      overlapEndsAt: OVERLAP_SECONDS[overlap] === 0 ? null : oldExpiresAt,
    };
  });
}
