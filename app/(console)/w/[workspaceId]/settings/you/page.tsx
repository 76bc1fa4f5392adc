import { openPage, pageMetadata } from "@/app/_server/console-page";
import { Panel } from "@/components/ui/panel";
import type { Context } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import { listLinkedProviders, listSessions, signInMethods } from "@/lib/tenancy/sign-in";
import { EndOtherSessions, MethodList, SessionTable } from "./_components/session-table";
import { endOtherSessionsAction, endSessionAction, unlinkProviderAction } from "./actions";
import { foreign } from "@/components/ui/foreign";

export const metadata = pageMetadata("settings-you");

type Props = { params: Promise<{ workspaceId: string }> };

type Method = { id: string; name: string; isLinked: boolean };

/** Configured methods, and linked ones that are no longer configured. */
async function readMethods(context: Context, userId: string): Promise<Method[]> {
  const linked = await listLinkedProviders(context, { userId });
  const offered: Method[] = signInMethods().map(({ id, name }) => ({ id, name, isLinked: linked.includes(id) }));
  const former = linked.filter((id) => offered.every((method) => method.id !== id));
  return [...offered, ...former.map((id) => ({ id, name: id, isLinked: true }))];
}

export default async function YourSignInPage({ params }: Props) {
  const { workspaceId } = await params;
  const page = await openPage("settings-you", { workspaceId }, async (context) => ({
    sessions: await listSessions(context, context.actor),
    methods: await readMethods(context, context.actor.userId),
  }));
  if (!page.ok) return page.restricted;
  const { sessions, methods } = page.value;
  const { userId, email, sessionId } = page.context.actor;
  return (
    <div className="grid gap-4">
      <Panel
        id="sessions"
        title="Where you are signed in"
        aside={sessions.length > 1 ? <EndOtherSessions userId={userId} end={endOtherSessionsAction} /> : null}
      >
        <SessionTable
          userId={userId}
          sessions={sessions.map(({ createdAt, expiresAt, ...session }) => ({
            ...session,
            createdAt: createdAt.toISOString(),
            expiresAt: expiresAt.toISOString(),
          }))}
          ownSessionId={sessionId}
          now={page.context.now.toISOString()}
          end={endSessionAction}
        />
      </Panel>
      <Panel id="methods" title="How you sign in">
        <ul>
          <li className="px-4 py-2">
            <span className="font-medium">Link to {foreign(email)}</span>
            <span className="block text-fg-muted">
              {env.SMTP_URL === undefined
                ? "This instance sends no mail: the link is printed where the server was started."
                : "Mailed when you ask for it. It works once, within 15 minutes."}
            </span>
          </li>
          <MethodList userId={userId} methods={methods} unlink={unlinkProviderAction} />
        </ul>
      </Panel>
    </div>
  );
}
