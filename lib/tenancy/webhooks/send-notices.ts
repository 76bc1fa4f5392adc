import type { Db } from "@/db/client";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { sendMail } from "@/lib/platform/mail";
import { listMembers } from "@/lib/tenancy/workspaces";
import { claimNotice, clearNotice } from "./queries-health";

/** Whoever takes a notice and does not finish it has this long; then it is sent by another process. */
const CLAIM_SECONDS = 300;

type Notice = NonNullable<Awaited<ReturnType<typeof claimNotice>>>;

async function mailAdmins(db: Db, smtpUrl: string, { workspaceId, endpointId, name, url, because }: Notice) {
  const members = await listMembers({ db, now: new Date(), actor: { kind: "system" } }, { workspaceId });
  const page = new URL(`/w/${workspaceId}/webhooks/${endpointId}`, env.BASE_URL ?? `http://localhost:${env.PORT}`);
  for (const { email } of members.filter(({ role }) => role === "owner" || role === "admin"))
    await sendMail(smtpUrl, {
      to: email,
      subject: `Webhook "${name}" was disabled`,
      text: [
        `Imprint no longer sends events to ${new URL(url).origin}: ${because.toLowerCase()}.`,
        "Events that were not delivered are kept for 30 days. They are sent when you switch the endpoint on again:",
        page.href,
      ].join("\n\n"),
    });
}

/** Tells the admins of endpoints that were disabled, by mail where there is a mail server. Never rejects. */
export async function sendNotices(db: Db, shift: number, smtpUrl: string | undefined = env.SMTP_URL): Promise<void> {
  try {
    for (;;) {
      const notice = await claimNotice(db, CLAIM_SECONDS, shift);
      if (!notice) return;
      if (smtpUrl === undefined) log.warn(notice, "no mail server is set up: the admins are not told by mail");
      else await mailAdmins(db, smtpUrl, notice);
      await clearNotice(db, notice);
    }
  } catch (error) {
    log.warn({ err: error }, "a notice of a disabled webhook endpoint was not sent; it is tried again in five minutes");
  }
}
