import type { Metadata } from "next";

import { signOutAction } from "@/app/(console)/actions/session";
import { currentActor } from "@/app/_server/page";
import { Button, ButtonLink } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";
import { Facts, Panel } from "@/components/ui/panel";
import { AbsoluteTime } from "@/components/ui/time";
import { database } from "@/db/client";
import { readInvitation } from "@/lib/tenancy/workspaces";
import { JoinForm } from "./_components/join-form";
import { joinAction } from "./actions";
import { foreign } from "@/components/ui/foreign";

export const metadata: Metadata = { title: "Join", robots: { index: false }, referrer: "same-origin" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };
type Invitation = NonNullable<Awaited<ReturnType<typeof readInvitation>>>;

/** The next step for the holder of the link: an existing person proves their identity by signing in. */
function NextStep({ invitation, token, email }: { invitation: Invitation; token: string; email: string | undefined }) {
  if (email !== undefined && email !== invitation.email) {
    return (
      <>
        <p role="alert" className="rounded-md bg-susp-bg px-3 py-2 text-susp">
          You are signed in as {foreign(email)}. Sign out first, then open the link again.
        </p>
        <form action={signOutAction}>
          <Button type="submit">Sign out</Button>
        </form>
      </>
    );
  }
  if (email === undefined && invitation.isKnown) {
    return (
      <>
        <p>{foreign(invitation.email)} is known here already. Sign in as that person to join.</p>
        <ButtonLink variant="primary" href={`/sign-in?next=${encodeURIComponent(`/join?token=${token}`)}`}>
          Sign in
        </ButtonLink>
      </>
    );
  }
  return <JoinForm action={joinAction} token={token} workspaceName={invitation.workspaceName} />;
}

export default async function JoinPage({ searchParams }: Props) {
  const given = (await searchParams)["token"];
  const token = typeof given === "string" ? given.slice(0, 200) : "";
  const invitation = token === "" ? undefined : await readInvitation({ db: database() }, { token });
  if (!invitation) {
    return (
      <MessagePage title="This invitation cannot be used">
        <p>It was used or revoked, or has expired. Ask whoever invited you for another link.</p>
      </MessagePage>
    );
  }
  const actor = await currentActor();
  return (
    <MessagePage title={`Join ${foreign(invitation.workspaceName)}`}>
      <Panel>
        <Facts
          rows={[
            { name: "Invited", value: invitation.email },
            { name: "Role", value: <span className="capitalize">{invitation.role}</span> },
            { name: "Open until", value: <AbsoluteTime at={invitation.expiresAt} /> },
          ]}
        />
      </Panel>
      <NextStep invitation={invitation} token={token} email={actor?.email} />
    </MessagePage>
  );
}
