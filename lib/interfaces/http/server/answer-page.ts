import type { IncomingMessage, ServerResponse } from "node:http";

import { blameCaller } from "../action-calls";
import { OPERATION_HEADER } from "../client";
import { failRequest } from "./fail-request";
import { setCommonHeaders, setPageHeaders } from "./page-headers";
import { isUnder } from "./target";

/** What the pages need of the process. */
export type PageSite = {
  /** Whether people reach the service by https. */
  isHttps: boolean;
  isDevelopment: boolean;
  /** Whether people sign in by providers: then the sign-in form leads to other sites. */
  hasIdentityProviders: boolean;
  /** Next. */
  render: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};

/**
 * Where the forms of a page may lead. Browsers check the redirects that follow as well: signing in by a provider leads
 * through whatever sites that provider uses, the consent to the address of the client, which may have any scheme.
 */
function formTargetsOf({ isHttps, hasIdentityProviders }: PageSite, pathname: string): string | undefined {
  if (isUnder(pathname, "/oauth")) return undefined;
  if (pathname === "/sign-in" && hasIdentityProviders) return isHttps ? "'self' https:" : "'self' https: http:";
  return "'self'";
}

/** Answers a request that the listener has accepted and prepared: its headers are ours, its address is normalised. */
export async function answerPage(site: PageSite, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { isDevelopment, isHttps } = site;
  const [pathname = "/"] = (req.url ?? "/").split("?", 1);
  const requestId = String(req.headers["x-request-id"]);
  setCommonHeaders(res, requestId, isHttps);
  setPageHeaders(req, res, pathname, { isDevelopment, formTargets: formTargetsOf(site, pathname) });
  blameCaller(req, res, requestId);
  try {
    await site.render(req, res);
  } catch (error) {
    failRequest(res, error, { operation: String(req.headers[OPERATION_HEADER]), requestId, isHttps });
  }
}
