import type { Db } from "@/db/client";
import { baseUrl, env } from "@/lib/env";
import { takePermit } from "@/lib/limits";
import { log } from "@/lib/log";
import { sendMail } from "@/lib/mail";
import { sha256 } from "@/lib/secrets";
import { findUserByEmail } from "@/lib/workspaces";
import { confirmUrl, returnPath } from "./domain/links";

type Requested = {
  /** The address as it was typed. */
  identifier: string;
  /** The callback address that next-auth made. */
  url: string;
};

type Outlets = { smtpUrl: string | undefined; print: (text: string) => void };

/** Links for one address: nobody's mailbox is flooded by a stranger who types its address. */
const LINK_LIMIT = { name: "sign-in-link", ratePerSecond: 1 / 180, burst: 5 };

const textOf = (link: string) =>
  `Open this link to sign in to Imprint. It works once, within 15 minutes:\n\n${link}\n\nIf you did not ask for it, nothing needs to be done.\n`;

/**
 * Sends a sign-in link to a known address: by mail when a mail server is configured, else onto the terminal of
 * the server. An address that belongs to nobody, or has just got five, gets none; whoever asked cannot tell the
 * difference.
 */
export async function sendLoginLink(
  db: Db,
  { identifier, url }: Requested,
  { smtpUrl, print }: Outlets = { smtpUrl: env.SMTP_URL, print: (text) => process.stdout.write(text) },
): Promise<void> {
  const email = identifier.toLowerCase();
  const parameters = new URL(url).searchParams;
  const token = parameters.get("token");
  if (!token || !(await isKnownUser(db, email))) return;
  const { allowed } = await takePermit(db, LINK_LIMIT, sha256(email).toString("hex"), "closed");
  if (!allowed) {
    log.warn("a sign-in link was not sent: too many were asked for this address");
    return;
  }
  const callbackUrl = returnPath(baseUrl(), parameters.get("callbackUrl"));
  const link = confirmUrl({ baseUrl: baseUrl(), token, email, callbackUrl });
  if (smtpUrl === undefined) {
    // Not through the logger: logs are kept, and the link is a credential.
    print(`\nSign-in link for ${email}, valid once, for 15 minutes:\n${link}\n\n`);
    return;
  }
  try {
    await sendMail(smtpUrl, { to: email, subject: "Your sign-in link", text: textOf(link) });
  } catch (error) {
    log.error({ err: error }, "a sign-in mail was not sent; check SMTP_URL");
  }
}

/** Whether an address belongs to a person of this instance. */
export const isKnownUser = async (db: Db, email: string): Promise<boolean> =>
  (await findUserByEmail(db, email.toLowerCase())) !== undefined;
