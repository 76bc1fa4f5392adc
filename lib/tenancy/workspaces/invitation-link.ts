import { randomBytes } from "node:crypto";

import type { Actor } from "@/lib/platform/context";
import { baseUrl, env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { sendMail } from "@/lib/platform/mail";
import { sha256 } from "@/lib/platform/secrets";
import type { Role } from "./domain/permissions";

/** Days for which an invitation can be accepted. */
export const INVITATION_DAYS = 7;

const TOKEN_BYTES = 32;

/** A link with a new token, and the token's stored form. */
export function newInvitationLink(): { url: string; tokenHash: Uint8Array } {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { url: `${baseUrl()}/join?token=${token}`, tokenHash: sha256(token) };
}

export const invitationHash = (token: string): Uint8Array => sha256(token);

/** The permission required to grant a role. */
export const permissionToGive = (role: Role) => (role === "owner" ? "owner.manage" : "member.manage");

export const inviterOf = (actor: Actor): string => (actor.kind === "user" ? actor.userId : "");

/** Mails the link if a mail server is configured. Returns whether it was sent; the inviter has the link in any case. */
export async function mailInvitation(
  { email, url }: { email: string; url: string },
  smtpUrl: string | undefined = env.SMTP_URL,
): Promise<boolean> {
  if (smtpUrl === undefined) return false;
  const text = `You are invited to a workspace on Imprint. The link works once, within ${INVITATION_DAYS} days:\n\n${url}\n`;
  try {
    await sendMail(smtpUrl, { to: email, subject: "You are invited to Imprint", text });
    return true;
  } catch (error) {
    log.error({ err: error }, "an invitation was not mailed; check SMTP_URL");
    return false;
  }
}
