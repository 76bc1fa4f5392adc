import { type ApiRequest, headerOf } from "./exchange";

/**
 * Headers that let the page behind `request` read the answer: its exact Origin, no credentials.
 * Only the two operations that browsers call send them.
 */
export function corsHeaders(request: ApiRequest): Record<string, string> {
  const origin = headerOf(request, "origin");
  if (origin === undefined) return { Vary: "Origin" };
  return {
    Vary: "Origin",
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Expose-Headers": "X-Request-Id, Retry-After, RateLimit, RateLimit-Policy",
  };
}

/** The answer to a preflight: the Web App is not known yet, so the request that follows is checked for its Origin. */
export const preflightHeaders = (request: ApiRequest): Record<string, string> => ({
  "Access-Control-Allow-Methods": "POST",
  // Not only the component's: tools that trace pages add headers of theirs to each of its requests.
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "7200",
  ...corsHeaders(request),
});
