import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import type { Db } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { SIGN_IN_LIMIT, SIGN_IN_LINK_LIMIT, takePermit } from "@/lib/platform/limits";
import { log } from "@/lib/platform/log";
import { isRefusedForGood, isReplyLost, type Mail, sendMail } from "@/lib/platform/mail";
import { rateLimitKey } from "@/lib/platform/addresses";
import { authSecret, sha256 } from "@/lib/platform/secrets";
import { findUserByEmail, parseEmail } from "@/lib/tenancy/workspaces";
import { confirmUrl, LOGIN_LINK_SECONDS, returnPath } from "./domain/links";
import { insertVerificationToken } from "./queries";

type Requested = {
  /** As typed. */
  email: string;
  callbackUrl: unknown;
  /** Client IP, if known. */
  address: string | undefined;
};

/** Greylisting mail servers reject an unknown sender for the first minutes. All retries fall within a link's lifetime. */
const RETRY_SECONDS = [30, 90, 180, 300];

type Delivery = { smtpUrl: string | undefined; print: (text: string) => void; retrySeconds?: readonly number[] };

/** Stored form of a link's token, unchanged since 0.1.0. */
export const loginTokenHash = (token: string): string => sha256(`${token}${authSecret()}`).toString("hex");

/** Stores a token for a known e-mail address; returns the link and its expiry. */
export async function makeLoginLink(db: Db, { email, callbackUrl }: { email: string; callbackUrl: string }) {
  const token = randomBytes(32).toString("hex");
  const row = { identifier: email, tokenHash: loginTokenHash(token), seconds: LOGIN_LINK_SECONDS };
  const expiresAt = await insertVerificationToken(db, row);
  return { url: confirmUrl({ baseUrl: baseUrl(), token, email, callbackUrl }), expiresAt };
}

const textOf = (link: string) =>
  `Open this link to sign in to Imprint. It works once, within 15 minutes:\n\n${link}\n\nIf you did not request it, you can ignore this mail.\n`;

/** Retries until the server has replied, but sends a mail that it may have accepted only once more. */
async function sendWithRetries(smtpUrl: string, mail: Mail, retrySeconds: readonly number[]): Promise<void> {
  let lostReplies = 0;
  for (const seconds of retrySeconds) {
    try {
      await sendMail(smtpUrl, mail);
      return;
    } catch (error) {
      if (isReplyLost(error)) lostReplies += 1;
      if (isRefusedForGood(error) || lostReplies > 1) throw error;
      log.warn({ err: error, retrySeconds: seconds }, "sending a sign-in link failed; it will be retried");
      // A pending retry must not keep the process alive.
      await delay(seconds * 1_000, undefined, { ref: false });
    }
  }
  await sendMail(smtpUrl, mail);
}

async function deliver(db: Db, email: string, callbackUrl: string, delivery: Delivery): Promise<void> {
  const { smtpUrl, print, retrySeconds = RETRY_SECONDS } = delivery;
  if (!(await findUserByEmail(db, email))) return;
  const { url } = await makeLoginLink(db, { email, callbackUrl });
  if (smtpUrl === undefined) {
    // Not through the logger: logs are stored, and the link is a credential.
    print(`\nSign-in link for ${email}, valid once, for 15 minutes:\n${url}\n\n`);
    return;
  }
  await sendWithRetries(smtpUrl, { to: email, subject: "Your sign-in link", text: textOf(url) }, retrySeconds);
}

/**
 * Sends a sign-in link to a known e-mail address, by mail if a mail server is configured, otherwise to standard output.
 * Known and unknown addresses are indistinguishable: both take the same permits, and the caller gets its answer before the
 * address is looked up. An address gets at most five links in a row.
 *
 * @throws AppError `rate_limited`
 */
export async function requestLoginLink(
  db: Db,
  { email: typed, callbackUrl, address }: Requested,
  delivery: Delivery = { smtpUrl: env.SMTP_URL, print: (text) => process.stdout.write(text) },
): Promise<void> {
  if (address !== undefined) {
    const { allowed, retryAfterSeconds } = await takePermit(db, SIGN_IN_LIMIT, rateLimitKey(address), "open");
    if (!allowed) throw new AppError("rate_limited", { retryAfterSeconds });
  }
  const email = parseEmail(typed.trim());
  if (email === undefined) return;
  const { allowed } = await takePermit(db, SIGN_IN_LINK_LIMIT, sha256(email).toString("hex"), "closed");
  if (!allowed) {
    log.warn("a sign-in link was not sent: too many requests for this e-mail address");
    return;
  }
  deliver(db, email, returnPath(baseUrl(), callbackUrl), delivery).catch((error: unknown) => {
    log.error({ err: error }, "a sign-in link was not sent; check SMTP_URL and the database");
  });
}
