import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { authorize } from "@/lib/tenancy/workspaces";
import { DEFAULT_SECRET_OVERLAP, SECRET_OVERLAP_SECONDS, type SecretOverlap } from "./domain/secret-overlap";
import { replaceSecret } from "./queries";
import { lockStoredEndpoint } from "./require-endpoint";
import { newSigningSecret, sealSecret } from "./secret";

type RotateSecret = { workspaceId: string; endpointId: string; overlap?: SecretOverlap | undefined };

/**
 * Replaces the signing secret. Until the overlap ends, messages carry a signature by each of the two secrets; any earlier
 * secret is erased at once. The new secret is only ever returned here.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function rotateSecret(context: Context, input: RotateSecret) {
  const { workspaceId, endpointId, overlap = DEFAULT_SECRET_OVERLAP } = input;
  await authorize(context, workspaceId, "webhook.manage");
  const secret = newSigningSecret();
  return await context.db.transaction(async (tx) => {
    const { name, sealedSecret } = await lockStoredEndpoint(tx, workspaceId, endpointId);
    const overlapSeconds = SECRET_OVERLAP_SECONDS[overlap];
    const overlapEndsAt = await replaceSecret(
      tx,
      { workspaceId, endpointId },
      {
        sealedSecret: sealSecret(secret, endpointId),
        sealedPreviousSecret: overlapSeconds === 0 ? null : sealedSecret,
        overlapSeconds,
      },
    );
    await recordAudit(tx, context, {
      workspaceId,
      action: "webhook.rotate_secret",
      target: endpointId,
      detail: { name, overlap },
    });
    return { endpointId, secret, overlapEndsAt };
  });
}
