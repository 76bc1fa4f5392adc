import { randomBytes } from "node:crypto";

import { recordAudit, SYSTEM_WORKSPACE_ID } from "@/lib/audit";
import type { Context } from "@/lib/context";
import { baseUrl } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { authSecret, sha256 } from "@/lib/secrets";
import { findUserByEmail, requireEmail, requireOperator } from "@/lib/workspaces";
import { confirmUrl, LOGIN_LINK_SECONDS } from "./domain/links";
import { insertVerificationToken } from "./queries";

/**
 * Makes a one-time sign-in link for a known address, valid for 15 minutes.
 *
 * @throws AppError `forbidden`, `invalid_request`, `not_found` for an address that belongs to nobody
 */
export async function createLoginLink(context: Context, input: { email: string }) {
  requireOperator(context);
  const email = requireEmail(input.email);
  const user = await findUserByEmail(context.db, email);
  if (!user) {
    throw new AppError("not_found", {
      message: "Nobody here has that address. Make the person a member of a workspace first",
    });
  }
  const token = randomBytes(32).toString("hex");
  // The form in which next-auth looks for the token of a link.
  const tokenHash = sha256(`${token}${authSecret()}`).toString("hex");
  const expiresAt = await context.db.transaction(async (tx) => {
    await recordAudit(tx, context, {
      workspaceId: SYSTEM_WORKSPACE_ID,
      action: "login_link.create",
      target: user.userId,
      detail: { email },
    });
    return await insertVerificationToken(tx, { identifier: email, tokenHash, seconds: LOGIN_LINK_SECONDS });
  });
  return { url: confirmUrl({ baseUrl: baseUrl(), token, email, callbackUrl: "/" }), email, expiresAt };
}
