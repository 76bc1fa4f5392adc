import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { deleteProviderOf, listProvidersOf } from "./queries";
import { requireSelf } from "./require-self";

/**
 * The identity providers by which a person has come in.
 *
 * @throws AppError `forbidden`
 */
export async function listLinkedProviders(context: Context, { userId }: { userId: string }): Promise<string[]> {
  requireSelf(context, userId);
  return (await listProvidersOf(context.db, userId)).map(({ provider }) => provider);
}

/**
 * Forgets who a person is at an identity provider. Coming in by it again takes a verified address anew; the link by
 * e-mail always remains.
 *
 * @throws AppError `forbidden`, `not_found`
 */
export async function unlinkProvider(context: Context, input: { userId: string; provider: string }) {
  const { userId, provider } = input;
  requireSelf(context, userId);
  await context.db.transaction(async (tx) => {
    if (!(await deleteProviderOf(tx, userId, provider)))
      throw new AppError("not_found", { message: "This provider was not used to sign in" });
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "sign_in.unlink",
      target: userId,
      detail: { provider },
    });
  });
  return { userId, provider };
}
