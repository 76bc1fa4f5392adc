import type { KoaContextWithOIDC } from "oidc-provider";
import type Provider from "oidc-provider";

import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
import { isRedirectApproved } from "./approved-redirect";
import { refusalPage } from "./refusal-page";

/** An error of the library; refusals have `expose`. */
type Failure = Error & { expose?: boolean; error_description?: string | undefined };

/** Whether an error may be sent to the client; if that cannot be determined, it may not. */
async function mayLeave({ oidc }: KoaContextWithOIDC, failure: Failure): Promise<boolean> {
  // After a person's decision, refusals included, errors go to the client.
  if (oidc.route !== "authorization" && failure.message === "access_denied") return true;
  const { client_id: clientId, redirect_uri: redirectUri } = oidc.params ?? {};
  if (typeof clientId !== "string" || typeof redirectUri !== "string") return false;
  try {
    return await isRedirectApproved(database(), clientId, redirectUri);
  } catch (error) {
    log.error({ err: error }, "the approval of a client could not be read");
    return false;
  }
}

/** Replaces the library's response by the refusal page. */
function showHere(context: KoaContextWithOIDC, failure: Failure): void {
  const { error, description } = failure.expose
    ? { error: failure.message, description: failure.error_description }
    : { error: "server_error", description: undefined };
  context.remove("Location");
  context.status = failure.expose ? 400 : 500;
  context.type = "html";
  for (const [name, value] of Object.entries(refusalPage.headers)) context.set(name, value);
  context.body = refusalPage.html(error, description);
}

/**
 * Shows errors of unapproved clients on a page instead of redirecting to the client: anybody may register an address,
 * and would get an open redirector.
 * Source: RFC 9700, section 4.11.2.
 */
export function showErrorsOfUnapprovedClients(provider: Provider): void {
  const failures = new WeakMap<object, Failure>();
  const note = (context: KoaContextWithOIDC, failure: Error) => {
    failures.set(context, failure);
  };
  provider.on("authorization.error", note);
  provider.on("server_error", note);
  provider.use(async (context, next) => {
    await next();
    const failure = failures.get(context);
    if (failure !== undefined && !(await mayLeave(context as KoaContextWithOIDC, failure))) {
      showHere(context as KoaContextWithOIDC, failure);
    }
  });
}
