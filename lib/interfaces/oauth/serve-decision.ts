import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { baseUrl } from "@/lib/platform/env";
import { AppError, ERRORS, isAppError } from "@/lib/contract/errors";
import { clientOf } from "@/lib/interfaces/http/client";
import { isSentByOwnPage } from "@/lib/interfaces/http/own-page";
import { readBody } from "@/lib/interfaces/http/read-body";
import { isStorableValue, unstorable } from "@/lib/platform/storable";
import { readSessionOfCookies, type SignedIn } from "@/lib/tenancy/sign-in";
import { consentPath } from "./configuration";
import { allowConsent, denyConsent } from "./decide-consent";
import { requireMcpOn } from "./read-policy";
import { refusalPage } from "./refusal-page";

const MAX_BODY_BYTES = 4 * 1024;

const seeOther = (location: string): Response =>
  new Response(null, { status: 303, headers: { Location: location, "Cache-Control": "no-store" } });

function refuse(error: unknown): Response {
  if (!isAppError(error)) throw error;
  return new Response(refusalPage.html(error.code, error.message), {
    status: ERRORS[error.code].status,
    headers: { ...refusalPage.headers, "Content-Type": "text/html; charset=utf-8" },
  });
}

/**
 * CSRF protection: the decision is authenticated by a cookie, so only the consent page may post it. Browsers send the
 * Origin with every form post.
 */
function requireOwnOrigin(request: Request): void {
  if (isSentByOwnPage(request.headers, baseUrl())) return;
  throw new AppError("forbidden", { message: "This decision did not come from the page of this service" });
}

/**
 * Whether the page was drawn for somebody else, who has signed in in another tab since: it must not decide for that
 * person. The page of version 0.1 does not say for whom it was drawn.
 */
const isOfAnotherPerson = ({ userId }: SignedIn, form: URLSearchParams): boolean =>
  (form.get("person") ?? userId) !== userId;

async function decide(request: Request, uid: string): Promise<string> {
  requireOwnOrigin(request);
  await requireMcpOn();
  const cookie = request.headers.get("cookie") ?? "";
  const form = new URLSearchParams(await readBody(request, MAX_BODY_BYTES));
  if (!isStorableValue([uid, form])) throw unstorable("The decision");
  const actor = await readSessionOfCookies(database(), cookie);
  if (!actor) return `/sign-in?next=${encodeURIComponent(consentPath(uid))}`;
  if (isOfAnotherPerson(actor, form)) return `${consentPath(uid)}?person=changed`;
  const context = { db: database(), now: now(), actor, ...clientOf(request) };
  if (form.get("decision") !== "allow") return denyConsent(context, { uid, cookie });
  const workspaceId = form.get("workspace") ?? "";
  try {
    return await allowConsent(context, { uid, cookie, workspaceId, scopes: form.getAll("scope") });
  } catch (error) {
    if (!isAppError(error) || error.code !== "invalid_request") throw error;
    return `${consentPath(uid)}?workspace=${encodeURIComponent(workspaceId)}&empty=1`;
  }
}

/**
 * Handles the consent page's form. The answer redirects the browser to the client in several steps, which a script
 * could not follow.
 */
export async function serveDecision(request: Request, uid: string): Promise<Response> {
  try {
    const location = await decide(request, uid);
    return seeOther(location.startsWith("/") ? baseUrl() + location : location);
  } catch (error) {
    return refuse(error);
  }
}
