import type { ErrorCode } from "@/lib/contract/errors";
import { noAnswer, type Refused } from "./no-answer";

/** Texts by status; the response to HEAD has no body. */
const REASONS: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  400: ["invalid_request", "The address of this file is incomplete or mistyped."],
  401: ["auth_failed", "You are signed out. Sign in again, then try again here."],
  403: ["forbidden", "Your role does not include this file."],
  404: ["not_found", "This is no longer there, or you are no longer a member of the workspace. Reload the page."],
};
const FAILED = ["service_unavailable", "The service could not make the file now. Try again shortly."] as const;

/** Why the service would not send a file; undefined if it would. Asking is not recorded as an export. */
export async function whyNotSent(href: string): Promise<Refused | undefined> {
  try {
    const { ok, status, headers } = await fetch(href, { method: "HEAD" });
    if (ok) return undefined;
    const [code, message] = REASONS[status] ?? FAILED;
    return { ok: false, code, message, requestId: headers.get("x-request-id") ?? "" };
  } catch (error) {
    return noAnswer(error);
  }
}
