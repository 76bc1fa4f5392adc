import { isIP } from "node:net";

import { OPERATIONS } from "@/lib/contract";
import type { Operation } from "@/lib/contract/operation";
import { NO_STORE } from "@/lib/interfaces/http/response";

import { SCRIPT_MARK } from "./draw";
import { checkMcp } from "./validate-mcp-answer";
import type { FuzzRequest } from "./request";
import type { WireAnswer } from "./wire";
import type { Fixtures } from "./fixtures";

const SLOW_MS = 10_000;
/** Statuses sent by the socket layer itself: requests that are malformed, too large or too slow. */
const OF_SOCKET = [400, 408, 431];

/** Pages whose forms submit to an OAuth client's address, which may have any scheme. */
const LEADS_TO_CLIENTS = /\/oauth\/(consent\/|authorize\?.*response_mode=form_post)/;

/** Text that only code, its libraries or the database would produce. */
const INSIDES: readonly RegExp[] = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules\//,
  /PostgresError|Failed query|syntax error at or near|violates [a-z-]+ constraint|invalid (?:byte sequence|input syntax)/,
  /\b(?:TypeError|RangeError|SyntaxError|ZodError|ReferenceError|URIError)\b/,
  /(?:relation|column) "\w+" does not exist/,
];
/** Next's marker for an error in a page that was already being sent. */
const PAGE_ERROR = /data-dgst="\d+(?:@\w+)?"|E\{"digest":"\d+/;

/** What answers are checked against. */
export type Known = Pick<Fixtures, "base" | "published" | "secrets" | "tools"> & {
  oauth: Pick<Fixtures["oauth"], "redirectUri">;
  trial: unknown;
};
type Exchange = { request: FuzzRequest; answer: WireAnswer; fixtures: Known };

/** Refused before the target of the request was known. */
const isOfSocket = ({ answer: { headers, status } }: Exchange): boolean =>
  OF_SOCKET.includes(status) && headers.get("connection") === "close";

function headerFaults(exchange: Exchange): string[] {
  const { answer, request } = exchange;
  const { headers } = answer;
  if (isOfSocket(exchange) && !headers.has("x-request-id")) return [];
  const faults: string[] = [];
  if (!headers.has("x-request-id")) faults.push("header X-Request-Id is missing");
  if (headers.get("x-content-type-options") !== "nosniff") faults.push("header X-Content-Type-Options is missing");
  if (!headers.get("content-type")?.startsWith("text/html")) return faults;
  const policy = headers.get("content-security-policy") ?? "";
  const wanted = ["default-src", "base-uri", "frame-ancestors"];
  // Directives covered by the default need not be repeated.
  if (!policy.includes("default-src 'none'")) wanted.push("script-src", "object-src");
  if (!LEADS_TO_CLIENTS.test(request.path)) wanted.push("form-action");
  for (const directive of wanted)
    if (!policy.includes(directive)) faults.push(`HTML without ${directive} in Content-Security-Policy`);
  if (/script-src[^;]*'unsafe-inline'/.test(policy)) faults.push("HTML allows inline scripts");
  for (const name of ["X-Frame-Options", "Cross-Origin-Opener-Policy", "Referrer-Policy"])
    if (!headers.get(name)) faults.push(`HTML without ${name}`);
  return request.method === "HEAD" ? [] : faults;
}

/** Where a browser would navigate to. */
function destinationsOf({ answer: { headers, text } }: Exchange): string[] {
  const found = [headers.get("location"), headers.get("x-action-redirect")?.replace(/;(push|replace)$/, "")];
  const refresh = /^\d+;\s*url=(.*)$/i.exec(headers.get("refresh") ?? "");
  const json = headers.get("content-type")?.startsWith("application/json")
    ? /^\{"url":"((?:[^"\\]|\\.)*)"/.exec(text)
    : null;
  return [...found, refresh?.[1], json?.[1]].filter((place) => place !== null && place !== undefined);
}

function redirectFaults(exchange: Exchange): string[] {
  const { fixtures, request } = exchange;
  const at = URL.canParse(request.path, fixtures.base) ? new URL(request.path, fixtures.base).href : fixtures.base;
  return destinationsOf(exchange).flatMap((place) => {
    if (!URL.canParse(place, at)) return [`redirects to ${place}, which is not a URL`];
    const destination = new URL(place, at.startsWith(fixtures.base) ? at : fixtures.base);
    const isApproved = request.kind === "oauth" && destination.href.startsWith(fixtures.oauth.redirectUri);
    if (destination.origin !== fixtures.base && !isApproved)
      return [`redirects to another origin: ${destination.origin}`];
    // Code that uses only the path, such as a router, would be redirected elsewhere.
    return destination.pathname.startsWith("//")
      ? [`redirects to ${destination.pathname}, which names another origin`]
      : [];
  });
}

function leakFaults({ fixtures, answer, request }: Exchange): string[] {
  const { text, headers } = answer;
  const isHandedOut = request.operation === "readTrialIntent" && answer.status === 200;
  const everything = `${text}\n${[...headers].map((pair) => pair.join(": ")).join("\n")}`;
  const leaked = Object.entries(fixtures.secrets).filter(
    ([name, secret]) => secret !== "" && everything.includes(secret) && !(isHandedOut && name === "trial key"),
  );
  return leaked.map(([name]) => `shows the ${name}`);
}

/** Documentation mentions errors and libraries; nothing else has a reason to. */
const isDocumentation = ({ request, answer }: Exchange): boolean =>
  /^\/(docs|llms|SKILL|_next)/.test(request.path) ||
  /javascript|markdown|css/.test(answer.headers.get("content-type") ?? "");

function bodyFaults(exchange: Exchange): string[] {
  const { text, headers } = exchange.answer;
  const faults = leakFaults(exchange);
  const isPage = headers.get("content-type")?.startsWith("text/html") ?? false;
  if (isPage && text.includes(SCRIPT_MARK)) faults.push("the page has a script from the request in it");
  if (isPage && PAGE_ERROR.test(text)) faults.push("the page met an error while being sent");
  if (!isDocumentation(exchange)) {
    // Code samples contain errors of their languages.
    const shown = text.replaceAll(/<pre[\s>].*?<\/pre>|self\.__next_f\.push\(.*?<\/script>/gs, "");
    const told = INSIDES.map((pattern) => pattern.exec(shown)?.[0]).filter((part) => part !== undefined);
    faults.push(...told.map((part) => `reveals internals: ${part.trim().slice(0, 80)}`));
  }
  return faults;
}

const pathnameOf = ({ request, fixtures }: Exchange): string =>
  URL.canParse(request.path, fixtures.base) ? new URL(request.path, fixtures.base).pathname : "/";

/** Whether the service can determine the client IP: without one, most limits do not apply. */
const hasAddress = ({ headers }: FuzzRequest): boolean =>
  headers.every(([name, value]) => name.toLowerCase() !== "x-forwarded-for" || isIP(value) !== 0);

/** Whether an operation returns its payment terms to unpaid requests, whatever else the request contains. */
function tellsItsTerms(id: string, { headers }: FuzzRequest): boolean {
  const operations: readonly Operation[] = OPERATIONS;
  const isProbed = operations.find((operation) => operation.id === id)?.probedWithout !== undefined;
  return isProbed && !headers.some(([name]) => name.toLowerCase() === "payment-signature");
}

/**
 * Checks an answer below /api/v1: against the published document, or for the error envelope if the path or method does
 * not exist.
 */
function apiFaults(exchange: Exchange): string[] {
  const { request, answer, fixtures } = exchange;
  const { published } = fixtures;
  const pathname = pathnameOf(exchange);
  if (!pathname.startsWith("/api/v1/") || !answer.headers.has("x-request-id")) return [];
  const isPreflight = request.method === "OPTIONS" && answer.status === 204;
  const cache = answer.headers.get("cache-control");
  const faults = cache === NO_STORE ? [] : [`Cache-Control is ${cache}`];
  if (isOfSocket(exchange)) {
    const isEnvelope =
      request.method === "HEAD" || /^\{"error":\{"code":"\w+","message":"[^"]+"\}\}$/.test(answer.text);
    return isEnvelope ? faults : [...faults, "a refusal by the socket layer without the envelope"];
  }
  if (request.method === "HEAD" || isPreflight) return faults;
  const operation = published.find({ ...request, path: pathname }) ?? published.operationsAt(pathname)[0];
  if (!operation) {
    const isEnvelope = answer.status === 404 && answer.text.startsWith('{"error":{"code":"not_found"');
    return isEnvelope ? faults : [...faults, `status ${answer.status} at a path without an operation`];
  }
  faults.push(...published.answerFaults(operation.id, answer));
  const isLimited = answer.status === 429 || answer.status < 300;
  if (isLimited && hasAddress(request) && !answer.headers.has("ratelimit")) faults.push("header RateLimit is missing");
  if (answer.status === 429 && answer.text.includes('"rate_limited"') && !answer.headers.has("retry-after"))
    faults.push("header Retry-After is missing");
  const isProbe = answer.status === 402 && tellsItsTerms(operation.id, request);
  const isAccepted = (answer.status < 300 || answer.status === 402) && !isProbe;
  const sent = {
    method: request.method,
    path: request.path,
    body: request.body && new TextDecoder().decode(request.body),
  };
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  if (isAccepted && operation.method === request.method)
    faults.push(
      ...published.requestFaults(operation.id, { ...sent, headers }).map((fault) => `was accepted although ${fault}`),
    );
  if (request.isAcceptable && answer.text.includes('"code":"invalid_request"'))
    faults.push(`was refused although the document allows it: ${answer.text.slice(0, 200)}`);
  return faults;
}

function statusFaults({ request, answer, fixtures }: Exchange): string[] {
  const { status, text, milliseconds, failure } = answer;
  if (status === 0) return [`no answer: ${failure ?? ""}`];
  const isNotSelling = !fixtures.trial && status === 503 && text.includes('"payment_unavailable"');
  const faults = milliseconds > SLOW_MS ? [`slow: more than ${SLOW_MS} ms`] : [];
  if (status >= 500 && !isNotSelling && !(status === 501 && request.method === "TRACE"))
    faults.push(`status ${status}`);
  return faults;
}

/** Everything that is wrong with an answer. */
export function validateAnswer(request: FuzzRequest, answer: WireAnswer, fixtures: Known): string[] {
  const exchange = { request, answer, fixtures };
  const statuses = statusFaults(exchange);
  if (answer.status === 0) return statuses;
  return [
    ...statuses,
    ...headerFaults(exchange),
    ...redirectFaults(exchange),
    ...bodyFaults(exchange),
    ...apiFaults(exchange),
    ...(request.kind === "mcp" && pathnameOf(exchange) === "/mcp" && !isOfSocket(exchange)
      ? checkMcp(request, answer, fixtures)
      : []),
  ];
}
