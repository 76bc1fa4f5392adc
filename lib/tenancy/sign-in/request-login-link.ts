import { randomBytes } from "node:crypto";

import type { Db } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { SIGN_IN_LIMIT, SIGN_IN_LINK_LIMIT, takePermit } from "@/lib/platform/limits";
import { log } from "@/lib/platform/log";
import { sendMail } from "@/lib/platform/mail";
import { rateLimitKey } from "@/lib/platform/addresses";
import { authSecret, sha256 } from "@/lib/platform/secrets";
import { findUserByEmail, parseEmail } from "@/lib/tenancy/workspaces";
import { confirmUrl, LOGIN_LINK_SECONDS, returnPath } from "./domain/links";
import { insertVerificationToken } from "./queries";

type Requested = {
  /** As it was typed. */
  email: string;
  callbackUrl: unknown;
  /** Of the client who asks, when it can be known. */
  address: string | undefined;
};

type Outlets = { smtpUrl: string | undefined; print: (text: string) => void };

/** Under what a link's token is stored. Links of 0.1.0 have the same form. */
export const loginTokenHash = (token: string): string => sha256(`${token}${authSecret()}`).toString("hex");

/** Stores a token for a known address; its link, and until when it can be used. */
export async function makeLoginLink(db: Db, { email, callbackUrl }: { email: string; callbackUrl: string }) {
  const token = randomBytes(32).toString("hex");
  const row = { identifier: email, tokenHash: loginTokenHash(token), seconds: LOGIN_LINK_SECONDS };
  const expiresAt = await insertVerificationToken(db, row);
  return { url: confirmUrl({ baseUrl: baseUrl(), token, email, callbackUrl }), expiresAt };
}

const textOf = (link: string) =>
  `Open this link to sign in to Imprint. It works once, within 15 minutes:\n\n${link}\n\nIf you did not ask for it, nothing needs to be done.\n`;

async function deliver(db: Db, email: string, callbackUrl: string, { smtpUrl, print }: Outlets): Promise<void> {
  if (!(await findUserByEmail(db, email))) return;
  const { url } = await makeLoginLink(db, { email, callbackUrl });
  if (smtpUrl === undefined) {
    // Not through the logger: logs are kept, and the link is a credential.
    print(`\nSign-in link for ${email}, valid once, for 15 minutes:\n${url}\n\n`);
    return;
  }
  await sendMail(smtpUrl, { to: email, subject: "Your sign-in link", text: textOf(url) });
}

/**
 * Sends a sign-in link to a known address: by mail when a mail server is configured, else onto the terminal of the
 * server. Known and unknown addresses cannot be told apart: both cost the same permits and are answered before it is
 * known whose the address is. Nothing is stored, nor sent, for an address that has just got five.
 *
 * @throws AppError rate_limited for a client that asks for too many
 */
export async function requestLoginLink(
  db: Db,
  { email: typed, callbackUrl, address }: Requested,
  outlets: Outlets = { smtpUrl: env.SMTP_URL, print: (text) => process.stdout.write(text) },
): Promise<void> {
  if (address !== undefined) {
    const { allowed, retryAfterSeconds } = await takePermit(db, SIGN_IN_LIMIT, rateLimitKey(address), "open");
    if (!allowed) throw new AppError("rate_limited", { retryAfterSeconds });
  }
  const email = parseEmail(typed.trim());
  if (email === undefined) return;
  const { allowed } = await takePermit(db, SIGN_IN_LINK_LIMIT, sha256(email).toString("hex"), "closed");
  if (!allowed) {
    log.warn("a sign-in link was not sent: too many were asked for this address");
    return;
  }
  deliver(db, email, returnPath(baseUrl(), callbackUrl), outlets).catch((error: unknown) => {
    log.error({ err: error }, "a sign-in link was not sent; check SMTP_URL and the database");
  });
}
