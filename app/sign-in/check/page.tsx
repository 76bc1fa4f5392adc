import { Link } from "@/components/ui/link";

import { MessagePage } from "@/components/ui/message-page";
import { env } from "@/lib/platform/env";
import { ADMIN_COMMAND } from "@/lib/platform/program";

export const metadata = { title: "Check your mail" };

export default function CheckPage() {
  const hasMail = env.SMTP_URL !== undefined;
  return (
    <MessagePage title={hasMail ? "Check your mail" : "Check the server"}>
      {hasMail ? (
        <p>If the address belongs to somebody here, a link is on its way. It works once, within 15 minutes.</p>
      ) : (
        <>
          <p>
            This installation sends no mail. If the address belongs to somebody here, the server has just printed the
            link where it was started. It works once, within 15 minutes.
          </p>
          <p className="text-fg-muted">An operator can also make one on that machine:</p>
          <pre
            tabIndex={0}
            role="region"
            aria-label="Command"
            className="overflow-x-auto rounded-md border bg-surface-2 px-4 py-3 font-mono text-xs"
          >
            {ADMIN_COMMAND} login-link --email you@example.com
          </pre>
        </>
      )}
      <p>
        <Link className="link" href="/sign-in">
          Use another address
        </Link>
      </p>
    </MessagePage>
  );
}
