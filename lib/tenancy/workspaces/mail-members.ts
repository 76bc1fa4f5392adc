import type { Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { isRefusedForGood, type Mail, sendMails } from "@/lib/platform/mail";
import { listMembersOfWorkspace } from "./queries-members";

type Member = Awaited<ReturnType<typeof listMembersOfWorkspace>>[number];
export type MembersMail = Pick<Mail, "subject" | "text"> & { isFor: (member: Member) => boolean };

/**
 * Mails the selected members of a workspace, separately.
 *
 * @returns false if the mail should be retried: it reached no one, but not every failure was permanent. If it reached some
 * members it is not repeated, so that they do not get it twice because of another's full mailbox.
 */
export async function mailMembers(
  db: Db,
  workspaceId: string,
  { subject, text, isFor }: MembersMail,
  smtpUrl: string | undefined = env.SMTP_URL,
): Promise<boolean> {
  if (smtpUrl === undefined) {
    log.warn({ workspaceId, subject }, "no mail server is configured: members are not notified");
    return true;
  }
  const addressees = (await listMembersOfWorkspace(db, workspaceId)).filter(isFor);
  const mails = addressees.map(({ email }) => ({ to: email, subject, text }));
  const failures = (await sendMails(smtpUrl, mails)).flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  if (failures.length === 0) return true;
  const counts = { addressees: mails.length, failed: failures.length };
  log.warn({ err: failures[0], workspaceId, subject, ...counts }, "a mail did not reach every member; check SMTP_URL");
  return failures.length < mails.length || failures.every(isRefusedForGood);
}
