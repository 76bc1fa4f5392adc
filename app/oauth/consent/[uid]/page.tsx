import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";

import { pageContext } from "@/app/_server/page";
import { MessagePage } from "@/components/ui/message-page";
import { isAppError } from "@/lib/contract/errors";
import { type Consent, readConsent } from "@/lib/interfaces/oauth";
import { ConsentForm } from "./_components/consent-form";
import { foreign } from "@/components/ui/foreign";

export const metadata: Metadata = { title: "Allow access", robots: { index: false } };

type Props = {
  params: Promise<{ uid: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

const text = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);

/** The pending request, or why there is none: this browser does not know it, or the operator does not allow it. */
async function readWaiting(reading: Promise<Consent>): Promise<{ consent: Consent } | { refusal: ReactNode }> {
  try {
    return { consent: await reading };
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "not_found") return { refusal: <Expired /> };
    if (error.code === "mcp_disabled" || error.code === "forbidden")
      return { refusal: <NotAllowed reason={error.message} /> };
    throw error;
  }
}

const Expired = () => (
  <MessagePage title="This request has expired">
    <p>It is older than an hour, was answered already, or was started in another browser.</p>
    <p className="text-fg-muted">Go back to the client and connect again.</p>
  </MessagePage>
);

const NotAllowed = ({ reason }: { reason: string }) => (
  <MessagePage title="This client cannot be connected">
    <p className="wrap-anywhere">{reason}.</p>
    <p className="text-fg-muted">Ask whoever runs this service.</p>
  </MessagePage>
);

export default async function ConsentPage({ params, searchParams }: Props) {
  const { uid } = await params;
  const query = await searchParams;
  const path = `/oauth/consent/${uid}`;
  const context = await pageContext(path);
  const cookie = (await headers()).get("cookie") ?? "";
  const waiting = await readWaiting(readConsent(context, { uid, cookie, workspaceId: text(query["workspace"]) }));
  if ("refusal" in waiting) return waiting.refusal;
  const { request, workspaces, workspaceId, offers } = waiting.consent;
  return (
    <MessagePage title={`${foreign(request.clientName)} asks for access`}>
      <ConsentForm
        clientName={request.clientName}
        verifiedHost={request.verifiedHost}
        redirectTarget={request.redirectTarget}
        isLocal={request.isLocal}
        userId={context.actor.userId}
        email={context.actor.email}
        workspaces={workspaces}
        workspaceId={workspaceId}
        offers={offers}
        isPersonChanged={query["person"] !== undefined}
        isEmpty={query["empty"] !== undefined}
        path={path}
      />
    </MessagePage>
  );
}
