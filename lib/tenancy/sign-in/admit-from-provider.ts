import type { Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { findUserByEmail, parseEmail } from "@/lib/tenancy/workspaces";
import { isProviderLinked } from "./queries";

type Presented = {
  provider: string;
  providerAccountId: string;
  /** The provider's claims, unvalidated. */
  claims: { email?: unknown; email_verified?: unknown };
};

/** Some issuers send `email_verified` as a string. */
const isVerified = ({ provider, claims }: Presented) =>
  claims.email_verified === true ||
  claims.email_verified === "true" ||
  (provider === "oidc" && env.OIDC_TRUST_EMAIL && claims.email_verified === undefined);

/**
 * Whether a person may sign in through an identity provider: with a linked account, or with a known e-mail address that the
 * provider has verified. An unverified address proves nothing.
 */
export async function admitFromProvider(db: Db, presented: Presented): Promise<"admitted" | "unknown" | "unverified"> {
  if (await isProviderLinked(db, presented)) return "admitted";
  const { email } = presented.claims;
  if (typeof email !== "string" || !isVerified(presented)) return "unverified";
  // Not `toLowerCase` alone, which turns the Kelvin sign into a k: another mailbox would pass for a known one.
  const known = parseEmail(email);
  return known !== undefined && (await findUserByEmail(db, known)) ? "admitted" : "unknown";
}
