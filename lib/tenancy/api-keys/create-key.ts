import { actorId, recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { newId } from "@/lib/contract/ids";
import { authorize, requireName } from "@/lib/tenancy/workspaces";
import { announceKey } from "./announce-key";
import type { KeyKind } from "./domain/key-format";
import { newSecret } from "./key-hash";
import { insertKey } from "./queries";

const MIN_LIFETIME_SECONDS = 60;
const MAX_LIFETIME_SECONDS = 3650 * 24 * 3600;

type CreateKey = {
  workspaceId: string;
  name: string;
  kind?: KeyKind;
  expiresAfterSeconds?: number | undefined;
  /** A previously generated secret; see `requireKeyText`. */
  secret?: string | undefined;
};

/** Creator of a key as shown in the list: the actor's id, or else its kind. */
export const createdBy = ({ actor }: Pick<Context, "actor">): string => actorId(actor) || actor.kind;

/**
 * Creates an API key. The secret is only ever returned here. Keys of kind `trial` are created by the service itself.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function createKey(context: Context, input: CreateKey) {
  const { workspaceId, kind = "live", expiresAfterSeconds } = input;
  await authorize(context, workspaceId, "apiKey.issue");
  if (kind === "trial" && context.actor.kind !== "system") {
    throw new AppError("forbidden", { message: "Trial keys are created only with a purchased trial" });
  }
  const name = requireName(input.name);
  if (
    expiresAfterSeconds !== undefined &&
    !(expiresAfterSeconds >= MIN_LIFETIME_SECONDS && expiresAfterSeconds <= MAX_LIFETIME_SECONDS)
  ) {
    throw new AppError("invalid_request", {
      message: "A key must expire after at least one minute and at most ten years",
    });
  }
  const { apiKey, ...stored } = newSecret(kind, input.secret);
  const keyId = newId("apiKey");
  return await context.db.transaction(async (tx) => {
    const expiresAt = await insertKey(tx, {
      workspaceId,
      keyId,
      name,
      kind,
      createdBy: createdBy(context),
      expiresAfterSeconds,
      ...stored,
    });
    await recordAudit(tx, context, {
      workspaceId,
      action: "api_key.create",
      target: keyId,
      detail: { name, kind, preview: stored.preview, expiresAt: expiresAt?.toISOString() ?? null },
    });
    await announceKey(tx, "key.created", { workspaceId, keyId, name, expiresAt });
    return { keyId, apiKey, name, kind, expiresAt };
  });
}
