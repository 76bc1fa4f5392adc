import type { z } from "zod";

import { database } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import { type ApiKeyPrincipal, findUsableKey, type KeyLookup, noteKeyUse } from "@/lib/tenancy/api-keys";
import { now } from "@/lib/platform/clock";
import type { Actor, Context } from "@/lib/platform/context";
import type { Operation } from "@/lib/contract/operation";
import { AppError, isAppError } from "@/lib/contract/errors";
import { type Decision, rateLimitHeaders } from "@/lib/platform/limits";
import { type OriginPrincipal, originQuery } from "@/lib/visits/submissions";
import type { ClaimPrincipal } from "@/lib/trials";
import { isStorableTarget, unstorable } from "@/lib/platform/storable";
import { countCall, outcomeOf, type UsageOperation } from "@/lib/metering";
import { addressPermit } from "./address-permit";
import { type Attribution, type Caller, identifyCaller } from "./authenticate";
import { fromWebRequest } from "./client";
import { corsHeaders } from "./cors";
import { type Answer, type ApiRequest, headerOf } from "./exchange";
import { parseJson } from "./read-body";
import { errorAnswer, jsonAnswer, toResponse } from "./response";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Principals<Key> = { apiKey: Key; claimToken: ClaimPrincipal; origin: OriginPrincipal };
type CallerOf<S, Key> = S extends keyof Principals<Key> ? Principals<Key>[S] : undefined;

/** What is read together with the permit of the caller's address, before it is known who calls. */
type Prefetch = { query: RowQuery };
type Row = Readonly<Record<string, unknown>>;

/** A request as far as it is known before anybody is refused for it. */
type Unjudged<O extends Operation> = Pick<Context, "now"> & {
  requestHeader: (name: string) => string | undefined;
  headerNames: readonly string[];
  address: string | undefined;
  body: Parsed<O["body"]>;
};

export type RouteContext<O extends Operation, Key = ApiKeyPrincipal, A extends Prefetch = never> = Context & {
  /** A header as it came, by lower-case name. */
  requestHeader: (name: string) => string | undefined;
  /** Names of the headers, lower case, in the order of arrival where the socket told it. */
  headerNames: readonly string[];
  /** Canonical address of the client, when it can be known. */
  address: string | undefined;
  caller: CallerOf<O["security"], Key>;
  params: Parsed<O["params"]>;
  query: Parsed<O["query"]>;
  headers: Parsed<O["headers"]>;
  body: Parsed<O["body"]>;
  /** The body as it came, for operations that recognise a repeated one. */
  rawBody: string;
  /** What was prepared, with the row that its query answered where one was made. */
  prefetched: (A & { row: Row | undefined }) | undefined;
};

type Replied = { status: number; json: string | undefined; body: unknown; headers: Record<string, string> };
type BodyOf<O extends Operation, S extends keyof O["responses"]> = z.input<O["responses"][S] & z.ZodType>;

/** What a handler answers: a declared status with the body that is declared for it. */
export type Reply<O extends Operation> = {
  [S in keyof O["responses"]]:
    | { status: S; body: BodyOf<O, S>; headers: Record<string, string> }
    | { status: S; json: string; headers: Record<string, string> };
}[keyof O["responses"]];

export const reply = <const S extends number, B>(status: S, body: B, headers: Record<string, string> = {}) => ({
  status,
  body,
  headers,
});

/** An answer whose text was validated against the operation's schema when it was stored. */
export const replyStored = <const S extends number>(status: S, json: string, headers: Record<string, string>) => ({
  status,
  json,
  headers,
});

/** A route with the types of its operation forgotten. */
type AnyRoute = {
  operation: Operation;
  handler: (ctx: never) => Promise<unknown>;
  findKey: ((params: never) => KeyLookup) | undefined;
  prefetch: ((request: never) => Prefetch | undefined) | undefined;
};

type PathParams = Record<string, string | string[] | undefined>;
type RouteProps = { params: Promise<PathParams> };
/** A handler for Next; the server entry answers by `answer`, the same function without the web's objects around it. */
export type Route = ((request: Request, props: RouteProps) => Promise<Response>) & {
  operation: Operation;
  answer: (request: ApiRequest, params: PathParams) => Promise<Answer>;
};

type Judged = z.ZodSafeParseResult<unknown> | undefined;

/** What passed its schema. */
function accept(result: Judged, place: string) {
  if (!result || result.success) return result?.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? issue.path.join(".") : place;
  throw new AppError("invalid_request", { message: `${where}: ${issue?.message ?? "not valid"}` });
}

/** The path's parameters, judged before: the key may be read with them before anybody is refused for them. */
function acceptParams({ unmatchedParams }: Operation, judged: Judged) {
  if (judged?.success === false && unmatchedParams) throw new AppError(unmatchedParams);
  return accept(judged, "path");
}

/** How the key is read: with what the path names, unless that is malformed. */
const keyLookup = ({ findKey }: AnyRoute, judged: Judged): KeyLookup =>
  findKey && judged?.success ? findKey(judged.data as never) : findUsableKey; // safe: parsed by its own schema

function parseQuery(operation: Operation, query: string) {
  if (!operation.query) return undefined;
  if (!isStorableTarget(query)) throw unstorable("The query");
  const search = new URLSearchParams(query);
  const names = [...search.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new AppError("invalid_request", { message: `${repeated}: given more than once` });
  return accept(operation.query.safeParse(Object.fromEntries(search)), "query");
}

function parseHeaders(operation: Operation, request: ApiRequest) {
  if (!operation.headers) return undefined;
  const named: Record<string, string> = {};
  for (const name in operation.headers.shape) {
    const value = headerOf(request, name);
    if (value !== undefined) named[name] = value;
  }
  return accept(operation.headers.safeParse(named), "headers");
}

const actorOf = (caller: Caller | undefined): Actor =>
  caller?.kind === "apiKey"
    ? { kind: "apiKey", workspaceId: caller.principal.workspaceId, keyId: caller.principal.keyId }
    : { kind: "system" };

/** Collects the rate decisions that one request meets, and throws at the first refusal. */
function rateGate(decisions: Decision[]) {
  return (decision: Decision) => {
    decisions.push(decision);
    if (!decision.allowed) throw new AppError("rate_limited", { retryAfterSeconds: decision.retryAfterSeconds });
  };
}

/** What is found out about a request while it is served. */
type Trace = { decisions: Decision[]; attribution: Attribution | undefined; handlerStarted: boolean };

/** Counts what no verb counts: the browser's operations, and calls with a key that never reached their verb. */
function recordUnhandled(operation: Operation, { attribution, handlerStarted }: Trace, error: unknown): void {
  if (!attribution || (operation.security === "apiKey" && handlerStarted)) return;
  const { workspaceId, keyId, webAppId } = attribution;
  const outcome = error === undefined ? "served" : outcomeOf(error);
  countCall({ workspaceId, keyId, webAppId, operation: operation.id as UsageOperation, outcome }); // every operation has its id from the contract
}

type Ended = { operation: Operation; request: ApiRequest; trace: Trace; error?: unknown };

/** Notes a call in the log of the key that it came with, answered or refused. */
function logKeyUse({ operation, request, trace, error }: Ended): void {
  const { workspaceId, keyId } = trace.attribution ?? {};
  if (workspaceId === undefined || keyId === undefined) return;
  const refusal = isAppError(error) ? error.code : "internal_error";
  noteKeyUse({
    workspaceId,
    keyId,
    address: request.address,
    agent: headerOf(request, "user-agent") ?? "",
    operation: operation.id,
    code: error === undefined ? "" : refusal,
    requestId: request.requestId,
  });
}

/** The body of an operation that has one, or the error that it is refused with, after the permit that it costs. */
function parseBody(operation: Operation, rawBody: string): unknown {
  if (!operation.body) return undefined;
  try {
    return parseJson(rawBody);
  } catch (error) {
    return error;
  }
}

/** A request whose body is read and judged, and nobody refused for it yet. */
function judge(definition: AnyRoute, request: ApiRequest, rawBody: string) {
  const { operation } = definition;
  const json = parseBody(operation, rawBody);
  const body: Judged = isAppError(json) ? undefined : operation.body?.safeParse(json);
  const requestHeader = (name: string) => headerOf(request, name);
  const sent = { requestHeader, headerNames: Object.keys(request.headers), address: request.address, now: now() };
  const prefetched = body?.success
    ? definition.prefetch?.({ ...sent, body: body.data } as never) // safe: parsed by its own schema
    : undefined;
  return { json, body, sent, prefetched };
}

async function serve(definition: AnyRoute, request: ApiRequest, params: PathParams, trace: Trace): Promise<Answer> {
  const { operation, handler } = definition;
  const { requestId, address } = request;
  const db = database();
  const gate = rateGate(trace.decisions);
  const sentBody = request.readBody(operation.bodyLimitBytes);
  const rawBody = typeof sentBody === "string" ? sentBody : await sentBody;
  const permit = addressPermit(operation.addressLimit, address, gate);
  permit.refuseKnown();
  const { json, body, sent, prefetched } = judge(definition, request, rawBody);
  const query = prefetched?.query ?? (operation.security === "origin" ? originQuery(json) : undefined);
  const row = await permit.take(db, query);
  if (isAppError(json)) throw json;
  const judged: Judged = operation.params?.safeParse(params);
  const attribute = (to: Attribution) => {
    trace.attribution = to;
  };
  const findKey = keyLookup(definition, judged);
  const caller = await identifyCaller(operation, {
    db,
    request,
    json,
    environmentRow: row,
    params,
    findKey,
    gate,
    attribute,
  });
  const context = {
    ...sent,
    db,
    actor: actorOf(caller),
    requestId,
    caller: caller?.principal,
    params: acceptParams(operation, judged),
    query: parseQuery(operation, request.search),
    headers: parseHeaders(operation, request),
    body: accept(body, "body"),
    rawBody,
    prefetched: prefetched && { ...prefetched, row },
  };
  trace.handlerStarted = true;
  const replied = (await handler(context as never)) as Replied; // safe: each member is parsed by the schema that types it
  const schema = operation.responses[replied.status as 200];
  if (!schema) throw new Error(`${operation.id} answered undeclared status ${replied.status}`);
  return jsonAnswer(replied.status, replied.json ?? JSON.stringify(schema.parse(replied.body)), replied.headers);
}

/** What every answer of an operation carries: its rate limits, and for pages of other origins the leave to read it. */
const extraHeaders = ({ security }: Operation, request: ApiRequest, { decisions }: Trace): Record<string, string> =>
  security === "origin" ? { ...rateLimitHeaders(decisions), ...corsHeaders(request) } : rateLimitHeaders(decisions);

async function answerRequest(definition: AnyRoute, request: ApiRequest, params: PathParams): Promise<Answer> {
  const { operation } = definition;
  const { requestId } = request;
  const trace: Trace = { decisions: [], attribution: undefined, handlerStarted: false };
  try {
    const answer = await serve(definition, request, params, trace);
    recordUnhandled(operation, trace, undefined);
    logKeyUse({ operation, request, trace });
    Object.assign(answer.headers, { "X-Request-Id": requestId }, extraHeaders(operation, request, trace));
    return answer;
  } catch (error) {
    recordUnhandled(operation, trace, error);
    logKeyUse({ operation, request, trace, error });
    return errorAnswer(error, requestId, extraHeaders(operation, request, trace), operation.id);
  }
}

/**
 * Turns an operation and a handler into a route: size, address limit, caller, key limit, shape, verb, serialisation.
 * Both directions pass the operation's schemas, so an undeclared field never gets in or out.
 *
 * @param options.findKey reads more than the caller's key in the same round trip; the handler finds it in `ctx.caller`
 * @param options.prefetch prepares what can be before it is known who calls, and reads one row in the round trip of the
 *   caller's permit; the handler finds both in `ctx.ahead`. Of an operation that browsers call, the row has the columns
 *   of `originQuery` too.
 */
export function defineRoute<
  const O extends Operation,
  Key extends ApiKeyPrincipal = ApiKeyPrincipal,
  A extends Prefetch = never,
>(
  operation: O,
  handler: (ctx: RouteContext<O, Key, A>) => Promise<Reply<O>>,
  options: {
    findKey?: (params: Parsed<O["params"]>) => KeyLookup<Key>;
    prefetch?: (request: Unjudged<O>) => A | undefined;
  } = {},
): Route {
  const { findKey, prefetch } = options;
  const definition: AnyRoute = { operation, handler, findKey, prefetch };
  const answer = (request: ApiRequest, params: PathParams) => answerRequest(definition, request, params);
  const route = async (request: Request, props: RouteProps): Promise<Response> =>
    toResponse(await answer(fromWebRequest(request), await props.params));
  return Object.assign(route, { operation, answer });
}
