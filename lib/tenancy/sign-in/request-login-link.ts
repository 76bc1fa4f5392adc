import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import type { Db } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { SIGN_IN_LIMIT, SIGN_IN_LINK_LIMIT, takePermit } from "@/lib/platform/limits";
import { log } from "@/lib/platform/log";
import { isRefusedForGood, type Mail, sendMail } from "@/lib/platform/mail";
import { rateLimitKey } from "@/lib/platform/addresses";
import { authSecret, sha256 } from "@/lib/platform/secrets";
import { findUserByEmail, parseEmail } from "@/lib/tenancy/workspaces";
import { confirmUrl, LOGIN_LINK_SECONDS, returnPath } from "./domain/links";
import { insertVerificationToken } from "./queries";

type Requested = {
  /** As it was typed. */
  email: string;
  callbackUrl: unknown;
  /** Of the client, if known. */
  address: string | undefined;
};

/** Mail servers refuse an unknown sender for some minutes at first. All of it lies within the life of a link. */
const RETRY_SECONDS = [30, 90, 180, 300];

type Delivery = { smtpUrl: string | undefined; print: (text: string) => void; retrySeconds?: readonly number[] };

/** Stored form of a link's token. Links of 0.1.0 have the same. */
export const loginTokenHash = (token: string): string => sha256(`${token}${authSecret()}`).toString("hex");

/** Stores a token for a known address; returns the link and its expiry. */
export async function makeLoginLink(db: Db, { email, callbackUrl }: { email: string; callbackUrl: string }) {
  const token = randomBytes(32).toString("hex");
  const row = { identifier: email, tokenHash: loginTokenHash(token), seconds: LOGIN_LINK_SECONDS };
  const expiresAt = await insertVerificationToken(db, row);
  return { url: confirmUrl({ baseUrl: baseUrl(), token, email, callbackUrl }), expiresAt };
}

const textOf = (link: string) =>
  `Open this link to sign in to Imprint. It works once, within 15 minutes:\n\n${link}\n\nIf you did not ask for it, nothing needs to be done.\n`;

async function sendWithRetries(smtpUrl: string, mail: Mail, retrySeconds: readonly number[]): Promise<void> {
  for (const seconds of retrySeconds) {
    try {
      await sendMail(smtpUrl, mail);
      return;
    } catch (error) {
      if (isRefusedForGood(error)) throw error;
      log.warn({ err: error, retrySeconds: seconds }, "a sign-in link was not sent yet");
      // What waits does not keep a process that stops.
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
 * Sends a sign-in link to a known address, by mail if a mail server is configured, else to the terminal of the server.
 * Known and unknown addresses cannot be distinguished: both use the same permits and are answered before the address
 * is looked up. An address gets at most five links in a row.
 *
 * @throws AppError rate_limited
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
    log.warn("a sign-in link was not sent: too many requests for this address");
    return;
  }
  deliver(db, email, returnPath(baseUrl(), callbackUrl), delivery).catch((error: unknown) => {
    log.error({ err: error }, "a sign-in link was not sent; check SMTP_URL and the database");
  });
}
