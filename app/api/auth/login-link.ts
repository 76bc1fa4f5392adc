import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { baseUrl } from "@/lib/platform/env";
import { isAppError } from "@/lib/contract/errors";
import { isSentByOwnPage } from "@/lib/interfaces/http/own-page";
import { readBody } from "@/lib/interfaces/http/read-body";
import { log } from "@/lib/platform/log";
import { confirmUrl, returnPath, useLoginLink } from "@/lib/tenancy/sign-in";
import { startSession } from "@/app/_server/auth";

const MAX_BODY_BYTES = 4 * 1024;

const seeOther = (path: string): Response =>
  new Response(null, { status: 303, headers: { Location: baseUrl() + path, "Cache-Control": "no-store" } });

const fieldsOf = (parameters: URLSearchParams) => {
  const [token, email] = [parameters.get("token") ?? "", parameters.get("email") ?? ""];
  return { token, email, callbackUrl: returnPath(baseUrl(), parameters.get("callbackUrl")) };
};

/**
 * Redirects to the page that asks whether to sign in. Following a link does not sign in: another site could make a
 * browser follow someone else's link (login CSRF), and mail scanners follow every link.
 */
export const showLink = (request: Request): Response =>
  new Response(null, {
    status: 303,
    headers: {
      Location: confirmUrl({ baseUrl: baseUrl(), ...fieldsOf(new URL(request.url).searchParams) }),
      "Cache-Control": "no-store",
    },
  });

/** Signs in the owner of a link when the button on our own page is pressed. Works without scripts. */
export async function openByLink(request: Request): Promise<Response> {
  if (!isSentByOwnPage(request.headers, baseUrl())) return seeOther("/sign-in?error=Foreign");
  try {
    const { callbackUrl, ...link } = fieldsOf(new URLSearchParams(await readBody(request, MAX_BODY_BYTES)));
    const { userId } = await useLoginLink(database(), link);
    await startSession(userId, now(), "email");
    return seeOther(callbackUrl);
  } catch (error) {
    if (isAppError(error)) return seeOther("/sign-in?error=Verification");
    log.error({ err: error }, "a sign-in link could not be used");
    return seeOther("/sign-in?error=Unavailable");
  }
}
