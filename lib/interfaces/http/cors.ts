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

/**
 * Headers of a preflight answer. The Web App is not known yet, so the Origin is checked when the actual request
 * arrives.
 */
export const preflightHeaders = (request: ApiRequest): Record<string, string> => ({
  "Access-Control-Allow-Methods": "POST",
  // Any header, not only the component's: tracing tools add their own to every request of a page.
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "7200",
  ...corsHeaders(request),
});
