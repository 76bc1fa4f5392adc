import { redirect } from "next/navigation";

import { currentActor } from "@/app/_server/page";
import { SignInForm } from "@/components/console/sign-in-form";
import { MessagePage } from "@/components/ui/message-page";
import { baseUrl } from "@/lib/env";
import { returnPath } from "@/lib/sign-in";
import { requestLinkAction } from "./actions";

export const metadata = { title: "Sign in" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

const FAILURES: Record<string, string> = {
  Verification: "That link was already used, or it is older than 15 minutes. Ask for another one.",
  AccessDenied: "That address is not known here. Ask an owner of your workspace to add you.",
};

export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams;
  const next = returnPath(baseUrl(), one(query["next"]) ?? one(query["callbackUrl"]));
  const failure = one(query["error"]);
  if ((await currentActor()) && !failure) redirect(next);
  return (
    <MessagePage title="Sign in">
      {failure ? (
        <p role="alert" className="rounded-md bg-susp-bg px-3 py-2 text-susp">
          {FAILURES[failure] ?? "Signing in did not work. Ask for another link."}
        </p>
      ) : null}
      <p className="text-fg-muted">There are no passwords here. You get a link that signs you in once.</p>
      <SignInForm action={requestLinkAction} next={next} />
    </MessagePage>
  );
}
