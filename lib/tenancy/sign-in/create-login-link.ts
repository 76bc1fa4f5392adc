import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/platform/audit";
import { type Context, requireOperator } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { findUserByEmail, requireEmail } from "@/lib/tenancy/workspaces";
import { makeLoginLink } from "./request-login-link";

/**
 * Creates a one-time sign-in link for a known e-mail address, valid for 15 minutes.
 *
 * @throws AppError `forbidden`, `invalid_request`, `not_found` for an unknown address
 */
export async function createLoginLink(context: Context, input: { email: string }) {
  requireOperator(context);
  const email = requireEmail(input.email);
  const user = await findUserByEmail(context.db, email);
  if (!user) {
    throw new AppError("not_found", {
      message: "There is no user with this e-mail address. Add the person to a workspace first",
    });
  }
  const link = await context.db.transaction(async (tx) => {
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "login_link.create",
      target: user.userId,
      detail: { email },
    });
    return await makeLoginLink(tx, { email, callbackUrl: "/" });
  });
  return { ...link, email };
}
