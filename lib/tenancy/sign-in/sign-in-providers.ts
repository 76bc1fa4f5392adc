import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { deleteProviderOf, listProvidersOf } from "./queries";
import { requireSelf } from "./require-self";

/**
 * Identity providers linked to a person.
 *
 * @throws AppError `forbidden`
 */
export async function listLinkedProviders(context: Context, { userId }: { userId: string }): Promise<string[]> {
  requireSelf(context, userId);
  return (await listProvidersOf(context.db, userId)).map(({ provider }) => provider);
}

/**
 * Unlinks a person's account at an identity provider. Signing in with it again requires a verified e-mail address. Sign-in
 * links by e-mail keep working.
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
