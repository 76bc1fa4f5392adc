import type { KoaContextWithOIDC } from "oidc-provider";
import type Provider from "oidc-provider";

import { database } from "@/db/client";
import { log } from "@/lib/platform/log";
import { isRedirectApproved } from "./approved-redirect";
import { type Failure, isUnreachable, showRefusal } from "./show-refusal";

const RETRY_SECONDS = 30;

/** Whether an error may be sent to the client; false if that cannot be determined. */
async function mayLeave({ oidc }: KoaContextWithOIDC, failure: Failure): Promise<boolean> {
  // After the person has decided, even to refuse, errors go to the client.
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

/**
 * Shows errors of unapproved clients on a page instead of redirecting to the client: anyone can register an address,
 * which would make this an open redirector.
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
    if (failure !== undefined && !(await mayLeave(context as KoaContextWithOIDC, failure)))
      await showRefusal(context as KoaContextWithOIDC, failure);
  });
}

/** Answers 503 while a client's document cannot be reached: on `invalid_client` it would give up its connection. */
export function postponeWhileUnreachable(provider: Provider): void {
  const unreachable = new WeakSet<object>();
  provider.on("grant.error", (context, failure) => {
    if (isUnreachable(failure)) unreachable.add(context);
  });
  provider.use(async (context, next) => {
    await next();
    if (!unreachable.has(context)) return;
    context.status = 503;
    context.set("Retry-After", String(RETRY_SECONDS));
    context.remove("WWW-Authenticate");
    context.body = {
      error: "temporarily_unavailable",
      error_description: "the address at which the client describes itself cannot be reached at present",
    };
  });
}
