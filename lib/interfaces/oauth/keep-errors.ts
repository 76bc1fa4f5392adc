import type { KoaContextWithOIDC } from "oidc-provider";
import type Provider from "oidc-provider";

import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
import { isRedirectApproved } from "./approved-redirect";
import { refusalPage } from "./refusal-page";

/** A failure of the library's; what is no refusal has no `expose`. */
type Failure = Error & { expose?: boolean; error_description?: string | undefined };

/** Whether an answer that failed may go to the client. What cannot be told goes nowhere. */
async function mayLeave({ oidc }: KoaContextWithOIDC, failure: Failure): Promise<boolean> {
  // After the decision of a person: who refused on our page sends the client away.
  if (oidc.route !== "authorization" && failure.message === "access_denied") return true;
  const { client_id: clientId, redirect_uri: redirectUri } = oidc.params ?? {};
  if (typeof clientId !== "string" || typeof redirectUri !== "string") return false;
  try {
    return await isRedirectApproved(database(), clientId, redirectUri);
  } catch (error) {
    log.error({ err: error }, "nobody can tell whether a client was approved");
    return false;
  }
}

/** The refusal as a page of ours, in place of whatever the library made of it. */
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
 * Shows errors of clients that nobody has approved on a page instead of sending them to the client: anybody may
 * register an address, and would have a link of this service that leads there without a person being asked.
 * Source: RFC 9700, section 4.11.2.
 */
export function keepErrorsOfStrangers(provider: Provider): void {
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
