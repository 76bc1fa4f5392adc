import { database } from "@/db/client";
import { addressOf } from "@/lib/interfaces/http/client";
import { readBody } from "@/lib/interfaces/http/read-body";
import { AppError, type ErrorCode, ERRORS, isAppError } from "@/lib/contract/errors";
import { ADDRESS_LIMITS, type Decision, rateLimitHeaders, takePermit } from "@/lib/platform/limits";
import { rateLimitKey } from "@/lib/platform/addresses";
import { isStorableValue, unstorable } from "@/lib/platform/storable";
import { runProvider } from "./bridge";
import { shareWithPage } from "./browser-clients";
import { withRedirect } from "./client-documents";
import { protectFormPost } from "./form-post";
import { normaliseRegistration, redirectObstacle } from "./domain/registration";
import { ruleObstacle } from "./domain/redirect-rules";
import { normaliseResources } from "./domain/resource";
import { knownScopes, SCOPES } from "./domain/scopes";
import { currentPolicy, requireMcpOn } from "./read-policy";
import { refusalPage } from "./refusal-page";

const MAX_BODY_BYTES = 64 * 1024;

/** The rate limit of a path, applied before any other work. */
const limitOf = (pathname: string) => {
  if (pathname === "/oauth/register") return ADDRESS_LIMITS.oauthRegistration;
  return pathname.startsWith("/oauth/authorize") ? ADDRESS_LIMITS.oauthAuthorization : ADDRESS_LIMITS.oauthToken;
};

type Refusal = { status: number; error: string; description: string; headers?: Record<string, string> };

/** Builds a refusal: an HTML page for browsers, otherwise an OAuth error. Source: RFC 6749, section 5.2. */
function refuse(request: Request, { status, error, description, headers }: Refusal): Response {
  if (request.headers.get("accept")?.includes("text/html")) {
    return new Response(refusalPage.html(error, description), {
      status,
      headers: { ...refusalPage.headers, "Content-Type": "text/html; charset=utf-8", ...headers },
    });
  }
  const body = JSON.stringify({ error, error_description: description });
  return new Response(body, {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
  });
}

const OAUTH_CODES: Partial<Record<ErrorCode, string>> = {
  rate_limited: "temporarily_unavailable",
  mcp_disabled: "access_denied",
};

function refuseFailure(request: Request, error: unknown, decision: Decision | undefined): Response {
  if (!isAppError(error)) throw error;
  return refuse(request, {
    status: ERRORS[error.code].status,
    error: OAUTH_CODES[error.code] ?? "invalid_request",
    description: error.message,
    headers: {
      ...(decision ? rateLimitHeaders([decision]) : {}),
      ...(error.retryAfterSeconds === undefined ? {} : { "Retry-After": String(error.retryAfterSeconds) }),
    },
  });
}

async function takeAddressPermit(request: Request, pathname: string): Promise<Decision | undefined> {
  const address = addressOf(request);
  if (address === undefined) return undefined;
  return takePermit(database(), limitOf(pathname), rateLimitKey(address), "open");
}

/** Undefined if the body is not JSON. */
function parsedOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Normalises a registration, or returns why it is refused. Malformed bodies are left for the library to refuse. */
function readRegistration(body: string, rules: readonly string[]): { body: string } | { obstacle: string } {
  const sent = parsedOf(body);
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return { body };
  const fields = sent as Record<string, unknown>;
  const uris = fields["redirect_uris"];
  const obstacle = redirectObstacle(uris) ?? ruleObstacle(rules, uris);
  return obstacle === undefined ? { body: JSON.stringify(normaliseRegistration(fields)) } : { obstacle };
}

const isForm = (request: Request) =>
  request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;

/**
 * Refuses values that the database cannot store, because anything sent here may be stored: registrations, pending
 * requests, their state.
 *
 * @throws AppError `invalid_request`
 */
function requireStorable(request: Request, url: URL, body: string | undefined): void {
  const values: unknown[] = [url.searchParams];
  if (body !== undefined) values.push(isForm(request) ? new URLSearchParams(body) : parsedOf(body));
  if (!values.every((value) => isStorableValue(value))) throw unstorable("The request");
}

/** Parameters of OpenID Connect, which the library refuses without the scope `openid`. */
const OF_OPENID = ["acr_values", "claims", "claims_locales", "id_token_hint", "max_age", "nonce"];

/** The prompts that the library supports. It refuses a request with another, such as `select_account`. */
const PROMPTS = new Set(["none", "login", "consent"]);

/**
 * A request without any of our scopes asks for the default, which is all of them; the person then ticks which ones to
 * grant. Other scopes are ignored. `openid` above all: nobody can grant it, so the library would ask again without end.
 * Source: RFC 6749, section 3.3.
 */
function completeAuthorization(parameters: URLSearchParams): void {
  normaliseResources(parameters);
  const [asked = "", ...repeated] = parameters.getAll("scope");
  if (repeated.length > 0) return; // the library refuses it
  const words = asked.split(" ");
  const known = knownScopes(words);
  const scopes = [
    ...(known.length > 0 ? known : SCOPES),
    ...(words.includes("offline_access") ? ["offline_access"] : []),
  ];
  parameters.set("scope", scopes.join(" "));
  if (words.includes("openid")) for (const name of OF_OPENID) parameters.delete(name);
  const [prompt, ...others] = parameters.getAll("prompt");
  if (prompt === undefined || others.length > 0) return;
  const prompts = prompt.split(" ").filter((word) => PROMPTS.has(word));
  if (prompts.length > 0) parameters.set("prompt", prompts.join(" "));
  else parameters.delete("prompt");
}

function normaliseForm(pathname: string, body: string): string {
  const parameters = new URLSearchParams(body);
  if (pathname === "/oauth/authorize") completeAuthorization(parameters);
  else normaliseResources(parameters);
  return parameters.toString();
}

/**
 * Removes the library's own session cookies, which are not used. The other cookies bind the pending request to the
 * browser.
 */
const withoutOwnSession = (cookie: string | null): string =>
  (cookie ?? "")
    .split(/;\s*/)
    .filter((part) => !/^oauth_session(\.sig)?=/.test(part))
    .join("; ");

async function forward(request: Request, url: URL): Promise<Response> {
  const { pathname } = url;
  let body = request.method === "POST" ? await readBody(request, MAX_BODY_BYTES) : undefined;
  requireStorable(request, url, body);
  if (body !== undefined && pathname === "/oauth/register") {
    const read = readRegistration(body, (await currentPolicy()).redirectRules);
    if ("obstacle" in read)
      return refuse(request, { status: 400, error: "invalid_redirect_uri", description: read.obstacle });
    ({ body } = read);
  } else if (body !== undefined && isForm(request)) body = normaliseForm(pathname, body);
  if (pathname === "/oauth/authorize" && request.method === "GET") completeAuthorization(url.searchParams);
  const redirectUri = (isForm(request) ? new URLSearchParams(body) : url.searchParams).get("redirect_uri");
  const cookie = withoutOwnSession(request.headers.get("cookie"));
  const response = await withRedirect(redirectUri, () =>
    runProvider({ request, target: pathname + url.search, cookie, body }),
  );
  response.headers.delete("x-powered-by");
  protectFormPost(response);
  return response;
}

/** Answers a request to the authorization server; errors are in OAuth's format. */
export const serveOauth = async (request: Request): Promise<Response> => {
  const response = await answer(request);
  // The authorization endpoint is for navigation, so it gets no CORS headers.
  const isForPrograms = !new URL(request.url).pathname.startsWith("/oauth/authorize");
  return isForPrograms ? shareWithPage(request, response) : response;
};

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const decision = await takeAddressPermit(request, url.pathname);
  try {
    if (decision && !decision.allowed)
      throw new AppError("rate_limited", { retryAfterSeconds: decision.retryAfterSeconds });
    await requireMcpOn();
    const response = await forward(request, url);
    if (decision) {
      for (const [name, value] of Object.entries(rateLimitHeaders([decision]))) response.headers.set(name, value);
    }
    return response;
  } catch (error) {
    return refuseFailure(request, error, decision);
  }
}
