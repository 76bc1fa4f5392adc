import type { Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { isRefusedForGood, isReplyLost, type Mail, sendMails } from "@/lib/platform/mail";
import { listMembersOfWorkspace } from "./queries-members";

type Outcome = PromiseSettledResult<void>;
type Member = Awaited<ReturnType<typeof listMembersOfWorkspace>>[number];
export type MembersMail = Pick<Mail, "subject" | "text"> & { isFor: (member: Member) => boolean };

/**
 * Mails the selected members of a workspace, separately. A mail that the server may have accepted is sent once more: it
 * may also have been lost.
 *
 * @returns false if the mail should be retried: it certainly reached no one, but not every failure was permanent. If it
 * may have reached some members it is not repeated, so that they do not get it twice because of another's full mailbox.
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
  const outcomes = await sendMails(smtpUrl, mails);
  const isUnclear = (outcome: Outcome | undefined) => outcome?.status === "rejected" && isReplyLost(outcome.reason);
  const unclear = mails.filter((_mail, index) => isUnclear(outcomes[index]));
  const final = [...outcomes.filter((outcome) => !isUnclear(outcome)), ...(await sendMails(smtpUrl, unclear))];
  const failures = final.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  if (failures.length === 0) return true;
  const counts = { addressees: mails.length, failed: failures.length };
  log.warn({ err: failures[0], workspaceId, subject, ...counts }, "a mail did not reach every member; check SMTP_URL");
  return unclear.length > 0 || failures.length < mails.length || failures.every(isRefusedForGood);
}
