import type { Metadata } from "next";
import { Link } from "@/components/ui/link";

import { Button } from "@/components/ui/button";
import { foreign } from "@/components/ui/foreign";
import { MessagePage } from "@/components/ui/message-page";
import { baseUrl } from "@/lib/platform/env";
import { returnPath } from "@/lib/tenancy/sign-in";
import { OneTimeForm } from "./_components/one-time-form";

export const metadata: Metadata = { title: "Confirm", robots: { index: false }, referrer: "same-origin" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const text = (value: string | string[] | undefined): string => (typeof value === "string" ? value : "");

/** Mail scanners and other sites can open the link. Only the button consumes it and signs in. */
export default async function ConfirmPage({ searchParams }: Props) {
  const query = await searchParams;
  const email = text(query["email"]);
  const token = text(query["token"]);
  if (!email || !token) {
    return (
      <MessagePage title="This link is not complete">
        <p>Part of the address is missing. Copy the whole link, or ask for another one.</p>
        <p>
          <Link className="link" href="/sign-in">
            Ask for a link
          </Link>
        </p>
      </MessagePage>
    );
  }
  return (
    <MessagePage title="Sign in to Imprint">
      <OneTimeForm action="/api/auth/callback/email" method="post" className="flex flex-col gap-4">
        <p className="text-fg-muted">One more step, so that programs that open links in e-mails do not use up yours.</p>
        <input type="hidden" name="callbackUrl" value={returnPath(baseUrl(), text(query["callbackUrl"]))} />
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="email" value={email} />
        <Button type="submit" variant="primary" className="w-full">
          <span className="min-w-0 truncate">Sign in as {foreign(email)}</span>
        </Button>
      </OneTimeForm>
    </MessagePage>
  );
}
