"use server";

import { redirect } from "next/navigation";

import { answerAction, isOwnRequest } from "@/app/_server/action";
import { CHECK_PAGE, signIn } from "@/app/_server/auth";
import { formField } from "@/app/_server/form-field";
import { requestFacts } from "@/app/_server/page";
import { database } from "@/db/client";
import { baseUrl } from "@/lib/platform/env";
import { AppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import { requestLoginLink, returnPath, signInMethods } from "@/lib/tenancy/sign-in";
import { parseEmail } from "@/lib/tenancy/workspaces";

/** next-auth's error code for any failure to get the provider's authorization URL. */
const isFailure = (address: string) => new URL(address, baseUrl()).searchParams.get("error") === "Configuration";

/** Sends the browser to an identity provider. Works without scripts. */
export async function useProviderAction(form: FormData): Promise<void> {
  const method = signInMethods().find(({ id }) => id === formField(form, "provider"));
  if (!method) redirect("/sign-in");
  if (!(await isOwnRequest())) redirect("/sign-in?error=Foreign");
  const redirectTo = returnPath(baseUrl(), formField(form, "next"));
  const address: unknown = await signIn(method.id, { redirect: false, redirectTo }).catch((error: unknown) => {
    log.error({ err: error }, "an identity provider could not be asked");
  });
  redirect(typeof address === "string" && !isFailure(address) ? address : "/sign-in?error=Provider");
}

/** Requests a sign-in link. The outcome is the same for known and unknown addresses. */
export async function requestLinkAction(_before: string | undefined, form: FormData): Promise<string | undefined> {
  const email = formField(form, "email").trim();
  const answer = await answerAction(async () => {
    if (parseEmail(email) === undefined)
      throw new AppError("invalid_request", { message: "Enter an e-mail address such as ada@example.com" });
    const { address } = await requestFacts();
    await requestLoginLink(database(), { email, callbackUrl: formField(form, "next"), address });
  });
  if (!answer.ok) return answer.message;
  redirect(CHECK_PAGE);
}
