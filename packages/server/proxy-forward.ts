import { bareAddress } from "./address";
import { isImprintServerError } from "./error";
import { headerOf, readToken, tokenCookie } from "./proxy-cookie";
import { errorAnswer, jsonAnswer, ProxyFailure, unavailable } from "./proxy-failure";
import type { KeyHolder } from "./proxy-key";
import type { ProxySettings } from "./proxy-options";
import { visitorHeader } from "./proxy-signature";
import type { Incoming, Outgoing } from "./proxy-types";
import { readText } from "./read-text";
import { within } from "./within";

/** One of the two operations that browsers call. */
export type Forwarding = {
  /** At the service. */
  path: string;
  bodyLimitBytes: number;
  /** Whether the page leaves its token to the cookie of the proxy, where that keeps one. */
  isTokenLeft: boolean;
};

type Json = Record<string, unknown>;
type Answered = { status: number; body: Json; retryAfter: string | null };

const parseObject = (text: string): Json | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
};

const codeOf = ({ body }: Answered): unknown => (Object(body["error"]) as { code?: unknown }).code;

/** Codes of the service that say something about this server, not about the visitor. */
const isAboutProxy = (code: unknown): code is string => typeof code === "string" && code.startsWith("visitor_");

/** The visitor's address as the service takes it; undefined for what is none. */
function addressOf(given: string | null | undefined): string | undefined {
  const bare = bareAddress(given ?? "");
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F.:]*:[0-9a-fA-F.:]*(?:%[\w.-]+)?)$/.test(bare) ? bare : undefined;
}

/** Sent along for logs and for services on the way; what the service reads stands in the signed header. */
const PASSED = ["content-type", "origin", "user-agent", "accept-language"];

const passedHeaders = (incoming: Incoming): Record<string, string> =>
  Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = headerOf(incoming, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );

type Request = {
  incoming: Incoming;
  address: string;
  token: string | undefined;
  path: string;
  body: Uint8Array<ArrayBuffer>;
};

/** @throws ProxyFailure */
async function send(
  settings: ProxySettings,
  headers: Record<string, string>,
  { path, body }: Request,
): Promise<Answered> {
  const { endpoint, timeoutMs, fetch } = settings;
  try {
    return await within(timeoutMs, undefined, async (signal) => {
      const response = await fetch(`${endpoint}${path}`, { method: "POST", headers, body, redirect: "manual", signal });
      const text = await readText(response);
      const parsed = parseObject(text);
      if (parsed === undefined)
        throw new ProxyFailure(`the service answered with status ${response.status} and no JSON`);
      return { status: response.status, body: parsed, retryAfter: response.headers.get("Retry-After") };
    });
  } catch (error) {
    if (error instanceof ProxyFailure) throw error;
    const what = isImprintServerError(error) ? error.message : "the service at `endpoint` cannot be reached";
    throw new ProxyFailure(what, 1, error);
  }
}

/**
 * Asks the service in the visitor's name; once more with another secret where the first one may have ended.
 *
 * @throws ProxyFailure
 */
async function ask(settings: ProxySettings, keys: KeyHolder, request: Request): Promise<Answered> {
  for (let isRepeated = false; ; isRepeated = true) {
    const key = await keys.get();
    const headers = { ...passedHeaders(request.incoming), ...(await visitorHeader(key, request)) };
    const answered = await send(settings, headers, request);
    const code = codeOf(answered);
    if (!isAboutProxy(code)) return answered;
    if (!isRepeated && keys.replace(key)) continue;
    const { message } = Object(answered.body["error"]) as { message?: unknown };
    throw new ProxyFailure(`${code}: ${String(message)}`);
  }
}

/** What the page gets: without the token, which the cookie has, and told to forget the one that it has from before. */
function answerPage(
  settings: ProxySettings,
  { incoming, token }: Request,
  { status, body, retryAfter }: Answered,
  hasPageToken: boolean,
): Outgoing {
  const headers: Record<string, string> = retryAfter === null ? {} : { "Retry-After": retryAfter };
  if (token === undefined || settings.cookieName === undefined) return jsonAnswer(status, body, headers);
  const { token: kept, ...rest } = body;
  const cookie = typeof kept === "string" ? tokenCookie(incoming, settings.cookieName, settings.path, kept) : undefined;
  const isTakenOver = hasPageToken && cookie !== undefined && "imprint" in rest;
  return jsonAnswer(status, isTakenOver ? { ...rest, token: "" } : rest, {
    ...headers,
    ...(cookie !== undefined && { "Set-Cookie": cookie }),
  });
}

/** A visitor who went away is nobody's fault. */
function passFailure(error: unknown): null {
  if (error instanceof ProxyFailure) throw error;
  return null;
}

const misconfigured = () =>
  new ProxyFailure(
    "the visitor's address is not known. Pass `clientAddress`, or the address with the request, as the documentation shows for your runtime",
  );

/** Forwards a challenge or a submission and answers the page. Never rejects: a visitor is not to see an error. */
export async function forward(
  settings: ProxySettings,
  keys: KeyHolder,
  incoming: Incoming,
  { path, bodyLimitBytes, isTokenLeft }: Forwarding,
  report: (error: Error) => void,
): Promise<Outgoing> {
  try {
    const body = await incoming.readBody(bodyLimitBytes).catch(passFailure);
    if (body === null) return errorAnswer(400, "invalid_request", "The request body broke off");
    if (body === undefined) return errorAnswer(413, "payload_too_large", "The request body is too large");
    const address = addressOf(incoming.readAddress());
    if (address === undefined) throw misconfigured();
    const { cookieName } = settings;
    const token = isTokenLeft && cookieName !== undefined ? readToken(incoming, cookieName) : undefined;
    const request = { incoming, address, token, path, body: new Uint8Array(body) };
    const hasPageToken = Boolean(parseObject(new TextDecoder().decode(body))?.["token"]);
    return answerPage(settings, request, await ask(settings, keys, request), hasPageToken);
  } catch (error) {
    report(error instanceof Error ? error : new Error(String(error)));
    return unavailable();
  }
}
