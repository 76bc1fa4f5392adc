import type { Database } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import { findUserByEmail, parseEmail } from "@/lib/tenancy/workspaces";
import { proveAddress, useVerificationToken } from "./queries";
import { loginTokenHash } from "./request-login-link";

const MAX_CHARACTERS = 200;

/**
 * Redeems a sign-in link and returns its user; the caller opens the session. Possession of the link verifies the address.
 *
 * @throws AppError `auth_failed` for an unknown, used or expired link
 */
export async function useLoginLink(db: Database, input: { email: string; token: string }): Promise<{ userId: string }> {
  const email = parseEmail(input.email);
  const refusal = new AppError("auth_failed", { message: "That link was already used, or is older than 15 minutes" });
  if (email === undefined || input.token.length > MAX_CHARACTERS) throw refusal;
  const userId = await db.transaction(async (tx) => {
    if (!(await useVerificationToken(tx, email, loginTokenHash(input.token)))) return undefined;
    const user = await findUserByEmail(tx, email);
    if (user) await proveAddress(tx, user.userId);
    return user?.userId;
  });
  if (userId === undefined) throw refusal;
  return { userId };
}
