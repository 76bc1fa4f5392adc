import { AppError } from "@/lib/contract/errors";
import { env } from "@/lib/platform/env";
import { words } from "@/lib/platform/env-values";

const PREFLIGHT_SECONDS = 7200;
/** Headers used by clients of both protocol versions. */
const REQUEST_HEADERS =
  "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, traceparent";
const RESPONSE_HEADERS =
  "WWW-Authenticate, MCP-Protocol-Version, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id";

const allowed = new Set(words(env.MCP_ALLOWED_ORIGINS));

/** Whether any other origin's pages may be clients. */
export const hasBrowserClients = allowed.size > 0;

const isAllowed = (origin: string | null | undefined): origin is string => Boolean(origin) && allowed.has(origin ?? "");

/** Whether the request comes from a page of an allowed origin. */
export const isFromAllowedPage = (request: Request): boolean => isAllowed(request.headers.get("origin"));

/** CORS headers that let a page read an answer, if its origin is allowed. */
export const pageHeaders = (origin: string | null | undefined): Record<string, string> => ({
  ...(hasBrowserClients && { Vary: "Origin" }),
  ...(isAllowed(origin) && {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": RESPONSE_HEADERS,
  }),
});

/** Adds CORS headers to the response, if the requesting page's origin is allowed. */
export function shareWithPage(request: Request, response: Response): Response {
  const { Vary: vary, ...headers } = pageHeaders(request.headers.get("origin"));
  if (vary !== undefined) response.headers.append("Vary", vary);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

/**
 * Answers a CORS preflight.
 *
 * @throws AppError `method_not_allowed` for a page of any other origin
 */
export function servePagePreflight(request: Request): Promise<Response> {
  if (!isFromAllowedPage(request)) throw new AppError("method_not_allowed", { headers: { Allow: "POST" } });
  const response = new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "POST",
      "Access-Control-Allow-Headers": REQUEST_HEADERS,
      "Access-Control-Max-Age": String(PREFLIGHT_SECONDS),
    },
  });
  return Promise.resolve(shareWithPage(request, response));
}
