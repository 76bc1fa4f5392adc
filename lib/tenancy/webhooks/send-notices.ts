import type { Db } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";
import { mailMembers, type MembersMail } from "@/lib/tenancy/workspaces";
import { claimNotice, clearNotice } from "./queries-health";

/** Lease of a claimed notice; if it is not finished by then, it is sent again. */
const CLAIM_SECONDS = 300;

type Notice = NonNullable<Awaited<ReturnType<typeof claimNotice>>>;

const mailOf = ({ workspaceId, endpointId, name, url, because }: Notice): MembersMail => ({
  isFor: ({ role }) => role === "owner" || role === "admin",
  subject: `Webhook "${name}" was disabled`,
  text: [
    `Imprint no longer sends events to ${new URL(url).origin}: ${because.toLowerCase()}.`,
    "Undelivered events are kept for 30 days. They are sent when you resume the endpoint:",
    `${baseUrl()}/w/${workspaceId}/webhooks/${endpointId}`,
  ].join("\n\n"),
});

/** Notifies admins of disabled endpoints, once each, by mail if a mail server is configured. */
export async function sendNotices(
  db: Db,
  {
    signal,
    shiftSeconds = 0,
    smtpUrl = env.SMTP_URL,
  }: { signal: AbortSignal; shiftSeconds?: number; smtpUrl?: string | undefined },
): Promise<void> {
  while (!signal.aborted) {
    const notice = await claimNotice(db, CLAIM_SECONDS, shiftSeconds);
    if (!notice) return;
    if (await mailMembers(db, notice.workspaceId, mailOf(notice), smtpUrl)) await clearNotice(db, notice);
  }
}
