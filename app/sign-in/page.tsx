import { redirect } from "next/navigation";

import { currentActor } from "@/app/_server/page";
import { Button } from "@/components/ui/button";
import { MessagePage } from "@/components/ui/message-page";
import { baseUrl } from "@/lib/platform/env";
import { returnPath, type SignInMethod, signInMethods } from "@/lib/tenancy/sign-in";
import { SignInForm } from "./_components/sign-in-form";
import { requestLinkAction, useProviderAction } from "./actions";

export const metadata = { title: "Sign in" };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

const FAILURES = new Map(
  Object.entries({
    Verification: "That link was already used, or it is older than 15 minutes. Ask for another one.",
    AccessDenied: "That address is not known here. Ask an owner of your workspace to invite you.",
    Unverified: "That provider gave no verified e-mail address, so nobody can tell whose it is.",
    Provider: "That provider does not answer at present. Try again later, or ask for a link.",
    OAuthAccountNotLinked: "That account belongs to somebody else here.",
    Foreign: "That did not come from a page of this service. Open the link again and use its button.",
    Unavailable: "The service could not sign you in at present. Try the link again shortly, or ask for another one.",
  }),
);

function Providers({ methods, next }: { methods: readonly SignInMethod[]; next: string }) {
  if (methods.length === 0) return null;
  return (
    <form action={useProviderAction} className="flex flex-col gap-2">
      <input type="hidden" name="next" value={next} />
      {methods.map(({ id, name }) => (
        <Button key={id} type="submit" name="provider" value={id} className="w-full">
          Continue with {name}
        </Button>
      ))}
      <p
        aria-hidden
        className="mt-2 flex items-center gap-3 text-fg-muted before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border"
      >
        or
      </p>
    </form>
  );
}

export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams;
  const next = returnPath(baseUrl(), one(query["next"]) ?? one(query["callbackUrl"]));
  const failure = one(query["error"]);
  if ((await currentActor()) && !failure) redirect(next);
  return (
    <MessagePage title="Sign in">
      {failure ? (
        <p role="alert" className="rounded-md bg-susp-bg px-3 py-2 text-susp">
          {FAILURES.get(failure) ?? "Signing in did not work. Try again, or ask for a link."}
        </p>
      ) : null}
      <Providers methods={signInMethods()} next={next} />
      <p className="text-fg-muted">There are no passwords here. You get a link that signs you in once.</p>
      <SignInForm action={requestLinkAction} next={next} />
    </MessagePage>
  );
}
