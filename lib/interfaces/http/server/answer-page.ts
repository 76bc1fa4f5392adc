import type { IncomingMessage, ServerResponse } from "node:http";

import { reportAsClientError } from "../action-calls";
import { OPERATION_HEADER } from "../client";
import { failRequest } from "./fail-request";
import { setCommonHeaders, setPageHeaders } from "./page-headers";
import { isUnder } from "./target";

/** What the pages need from the process. */
export type PageSite = {
  /** Whether the public URL is https. */
  isHttps: boolean;
  isDevelopment: boolean;
  /** Whether identity providers are configured; the sign-in form then redirects to other sites. */
  hasIdentityProviders: boolean;
  /** Next's request handler. */
  render: (req: IncomingMessage, res: ServerResponse) => Promise<void>;
};

/**
 * The page's `form-action` sources. Browsers apply them to the redirects that follow as well: signing in through a
 * provider may pass through any of that provider's sites, and the consent form redirects to the client's address, which
 * may have any scheme.
 */
function formTargetsOf({ isHttps, hasIdentityProviders }: PageSite, pathname: string): string | undefined {
  if (isUnder(pathname, "/oauth")) return undefined;
  if (pathname === "/sign-in" && hasIdentityProviders) return isHttps ? "'self' https:" : "'self' https: http:";
  return "'self'";
}

/** Answers a request whose headers and URL the listener has already sanitised. */
export async function answerPage(site: PageSite, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { isDevelopment, isHttps } = site;
  const [pathname = "/"] = (req.url ?? "/").split("?", 1);
  const requestId = String(req.headers["x-request-id"]);
  setCommonHeaders(res, requestId, isHttps);
  setPageHeaders(req, res, pathname, { isDevelopment, formTargets: formTargetsOf(site, pathname) });
  reportAsClientError(req, res, requestId);
  try {
    await site.render(req, res);
  } catch (error) {
    failRequest(res, error, { operation: String(req.headers[OPERATION_HEADER]), requestId, isHttps });
  }
}
