import type { z } from "zod";

import { database, type Db } from "@/db/client";
import { type ApiKeyPrincipal, noteKeyUse } from "@/lib/api-keys";
import { now } from "@/lib/clock";
import type { Actor, Context } from "@/lib/context";
import type { Operation } from "@/lib/contract/operation";
import { AppError, isAppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { ADDRESS_LIMITS, type Decision, rateLimitHeaders, takePermit, whenLimiterIsAway } from "@/lib/limits";
import { rateLimitKey } from "@/lib/network";
import type { OriginPrincipal } from "@/lib/submissions";
import type { ClaimPrincipal } from "@/lib/trials";
import { countCall, outcomeOf, type UsageOperation } from "@/lib/usage";
import { type Attribution, type Caller, identifyCaller } from "./authenticate";
import { addressOf, clientOf } from "./client";
import { corsHeaders } from "./cors";
import { parseJson, readBody } from "./read-body";
import { errorResponse, jsonTextResponse } from "./response";

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Principals = { apiKey: ApiKeyPrincipal; claimToken: ClaimPrincipal; origin: OriginPrincipal };
type CallerOf<S> = S extends keyof Principals ? Principals[S] : undefined;

export type RouteContext<O extends Operation> = Context & {
  request: Request;
  /** Canonical address of the client, when it can be known. */
  address: string | undefined;
  caller: CallerOf<O["security"]>;
  params: Parsed<O["params"]>;
  query: Parsed<O["query"]>;
  headers: Parsed<O["headers"]>;
  body: Parsed<O["body"]>;
  /** The body as it came, for operations that recognise a repeated one. */
  rawBody: string;
};

type Answer = { status: number; json: string | undefined; body: unknown; headers: Record<string, string> };
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
export const replyStored = <const S extends number>(status: S, json: string) => ({ status, json, headers: {} });

type RouteProps = { params: Promise<Record<string, string | string[] | undefined>> };
export type Route = ((request: Request, props: RouteProps) => Promise<Response>) & { operation: Operation };

function parse(schema: z.ZodType | undefined, value: unknown, place: string) {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue && issue.path.length > 0 ? issue.path.join(".") : place;
  throw new AppError("invalid_request", { message: `${where}: ${issue?.message ?? "not valid"}` });
}

function parseParams(operation: Operation, value: unknown) {
  if (!operation.params || !operation.unmatchedParams) return parse(operation.params, value, "path");
  const result = operation.params.safeParse(value);
  if (!result.success) throw new AppError(operation.unmatchedParams);
  return result.data;
}

function parseQuery(operation: Operation, search: URLSearchParams) {
  if (!operation.query) return undefined;
  const names = [...search.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new AppError("invalid_request", { message: `${repeated}: given more than once` });
  return parse(operation.query, Object.fromEntries(search), "query");
}

function parseHeaders(operation: Operation, headers: Headers) {
  if (!operation.headers) return undefined;
  const named = Object.keys(operation.headers.shape).flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return parse(operation.headers, Object.fromEntries(named), "headers");
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
type Trace = { decisions: Decision[]; attribution: Attribution | undefined; hasReachedVerb: boolean };

/** Counts what no verb counts: the browser's operations, and calls with a key that never reached their verb. */
function countUnverbed(operation: Operation, { attribution, hasReachedVerb }: Trace, error: unknown): void {
  if (!attribution || (operation.security === "apiKey" && hasReachedVerb)) return;
  const { workspaceId, keyId, webAppId } = attribution;
  const outcome = error === undefined ? "served" : outcomeOf(error);
  countCall({ workspaceId, keyId, webAppId, operation: operation.id as UsageOperation, outcome }); // every operation has its id from the contract
}

type Ended = { operation: Operation; request: Request; requestId: string; trace: Trace; error?: unknown };

/** Notes a call in the log of the key that it came with, answered or refused. */
function logKeyUse({ operation, request, requestId, trace, error }: Ended): void {
  const { workspaceId, keyId } = trace.attribution ?? {};
  if (workspaceId === undefined || keyId === undefined) return;
  const refusal = isAppError(error) ? error.code : "internal_error";
  noteKeyUse({
    workspaceId,
    keyId,
    address: addressOf(request),
    agent: request.headers.get("user-agent") ?? "",
    operation: operation.id,
    code: error === undefined ? "" : refusal,
    requestId,
  });
}

async function takeAddressPermit(
  db: Db,
  { addressLimit }: Operation,
  subject: string | undefined,
  gate: (decision: Decision) => void,
): Promise<void> {
  if (addressLimit === undefined) return;
  const whenAway = whenLimiterIsAway(addressLimit);
  // Where nothing goes on uncounted, those without a known address share one bucket.
  const counted = subject ?? (whenAway === "closed" ? "unknown" : undefined);
  if (counted !== undefined) gate(await takePermit(db, ADDRESS_LIMITS[addressLimit], counted, whenAway));
}

async function serve(
  operation: Operation,
  handler: (ctx: never) => Promise<unknown>,
  request: Request,
  props: RouteProps,
  trace: Trace,
  requestId: string,
) {
  const db = database();
  const address = addressOf(request);
  const subject = address === undefined ? undefined : rateLimitKey(address);
  const gate = rateGate(trace.decisions);
  const rawBody = await readBody(request, operation.bodyLimitBytes);
  await takeAddressPermit(db, operation, subject, gate);
  const json = operation.body ? parseJson(rawBody) : undefined;
  const params = await props.params;
  const attribute = (to: Attribution) => {
    trace.attribution = to;
  };
  const caller = await identifyCaller(operation, { db, request, json, params, subject, gate, attribute });
  const context = {
    db,
    now: now(),
    actor: actorOf(caller),
    requestId,
    request,
    address,
    caller: caller?.principal,
    params: parseParams(operation, params),
    query: parseQuery(operation, new URL(request.url).searchParams),
    headers: parseHeaders(operation, request.headers),
    body: parse(operation.body, json, "body"),
    rawBody,
  };
  trace.hasReachedVerb = true;
  const answer = (await handler(context as never)) as Answer; // safe: each member is parsed by the schema that types it
  const schema = operation.responses[answer.status as 200];
  if (!schema) throw new Error(`${operation.id} answered undeclared status ${answer.status}`);
  const text = answer.json ?? JSON.stringify(schema.parse(answer.body));
  return jsonTextResponse(answer.status, text, answer.headers);
}

/**
 * Turns an operation and a handler into a route: size, address limit, caller, key limit, shape, verb, serialisation.
 * Both directions pass the operation's schemas, so an undeclared field never gets in or out.
 */
export function defineRoute<const O extends Operation>(
  operation: O,
  handler: (ctx: RouteContext<O>) => Promise<Reply<O>>,
): Route {
  const route = async (request: Request, props: RouteProps): Promise<Response> => {
    const requestId = clientOf(request)?.requestId ?? newId("request");
    const trace: Trace = { decisions: [], attribution: undefined, hasReachedVerb: false };
    const extra = () => ({
      ...rateLimitHeaders(trace.decisions),
      ...(operation.security === "origin" ? corsHeaders(request) : {}),
    });
    try {
      const response = await serve(operation, handler, request, props, trace, requestId);
      countUnverbed(operation, trace, undefined);
      logKeyUse({ operation, request, requestId, trace });
      for (const [name, value] of Object.entries({ "X-Request-Id": requestId, ...extra() }))
        response.headers.set(name, value);
      return response;
    } catch (error) {
      countUnverbed(operation, trace, error);
      logKeyUse({ operation, request, requestId, trace, error });
      return errorResponse(error, requestId, extra());
    }
  };
  return Object.assign(route, { operation });
}
