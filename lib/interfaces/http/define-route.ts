import { database, readerDatabase } from "@/db/client";
import { AppError } from "@/lib/contract/errors";
import type { Operation } from "@/lib/contract/operation";
import type { Actor } from "@/lib/platform/context";
import { type Decision, rateLimitHeaders } from "@/lib/platform/limits";
import { type ApiKeyPrincipal, findUsableKey } from "@/lib/tenancy/api-keys";
import { learnOrigin } from "@/lib/visits/submissions";
import { corsHeaders } from "./cors";
import type { Answer, ApiRequest } from "./exchange";
import { adviseOnPayment } from "./payment-failure";
import { errorAnswer } from "./response";
import type { ApiOperation, CallerOf, Prefetch, Reply, RouteContext, RouteDefinition } from "./route";
import { type Caller, identifyCaller } from "./stages/authenticate";
import { addressPermit } from "./stages/limit-address";
import {
  accept,
  checkBody,
  checkHeaders,
  checkParams,
  parseBodyText,
  parseQuery,
  type PathParams,
  withoutProbe,
} from "./stages/parse-input";
import { ownQuery, prefetchRow } from "./stages/prefetch-row";
import { readRequest } from "./stages/read-request";
import { newTrace, recordCall, type Trace } from "./stages/record-call";
import { serializeReply } from "./stages/serialize-reply";

export { reply, replyStored } from "./route";

/** An operation and the function that answers it. */
export type Route = {
  operation: Operation;
  answer: (request: ApiRequest, params: PathParams) => Promise<Answer>;
};

function actorOf(caller: Caller | undefined): Actor {
  if (caller?.kind === "managementKey") return { kind: "managementKey", ...caller.principal };
  if (caller?.kind !== "apiKey") return { kind: "system" };
  return { kind: "apiKey", workspaceId: caller.principal.workspaceId, keyId: caller.principal.keyId };
}

/** Id of the purchase that the caller is continuing. */
function purchaseOf(caller: Caller | undefined): string | undefined {
  if (caller?.kind === "claimToken") return caller.principal.intentId;
  return caller?.kind === "purchase" ? caller.principal?.found?.intentId : undefined;
}

/** Collects the rate-limit decisions of one request and throws on the first refusal. */
function rateGate(decisions: Decision[]) {
  return (decision: Decision) => {
    decisions.push(decision);
    if (!decision.allowed) throw new AppError("rate_limited", { retryAfterSeconds: decision.retryAfterSeconds });
  };
}

/**
 * Takes one request through its stages. Cheap refusals come first. Body validation errors and the caller's key are only
 * acted on after the address's permit is taken, because the permit's round trip also reads what they need.
 */
async function serve<O extends ApiOperation, Key extends ApiKeyPrincipal, P extends Prefetch>(
  definition: RouteDefinition<O, Key, P>,
  request: ApiRequest,
  pathParams: PathParams,
  trace: Trace,
): Promise<Answer> {
  const { operation } = definition;
  const db = database();
  const gate = rateGate(trace.decisions);

  // Read
  const sent = await readRequest(operation, request);

  // Limit by address; the same round trip reads what is known of the caller
  const permit = addressPermit(operation.addressLimit, sent.address, gate);
  permit.refuseIfKnown();
  const json = withoutProbe(operation, parseBodyText(operation, sent.rawBody), request);
  const body = checkBody(operation, json);
  const { prefetch, row } = await prefetchRow(
    db,
    permit,
    () => {
      const prepared = body.error ? undefined : definition.prefetch?.({ body: body.value, ...sent });
      return { prefetch: prepared, query: prepared?.query ?? ownQuery(operation, json.value, sent.visitor) };
    },
    (read) => learnOrigin(json.value, read),
  );
  accept(json);
  if (operation.security === "purchase") accept(body);

  // Authenticate, and limit by key or environment
  const params = checkParams(operation, pathParams);
  const headers = checkHeaders(operation, request);
  const findKey = params.error || headers.error ? undefined : definition.findKey?.(params.value, headers.value);
  const caller = await identifyCaller(operation, {
    db,
    request,
    visitor: sent.visitor,
    json: json.value,
    environmentRow: row,
    params: pathParams,
    findKey: findKey ?? findUsableKey,
    gate,
    attribute(to) {
      trace.attribution = to;
    },
  });
  trace.intentId = purchaseOf(caller);

  // Parse
  const context: RouteContext<O, Key, P> = {
    db,
    reader: readerDatabase(),
    actor: actorOf(caller),
    requestId: request.requestId,
    caller: caller?.principal as CallerOf<O["security"], Key>, // `identifyCaller` answers by the operation's security, keys by `findKey`
    params: accept(params),
    query: parseQuery(operation, request.search),
    headers: accept(headers),
    body: accept(body),
    prefetched: prefetch && { row, ...prefetch },
    ...sent,
  };

  // Handle
  trace.handlerStarted = true;
  const answered = await definition.handler(context);

  // Serialise
  return serializeReply(operation, answered);
}

/**
 * Headers of every answer of an operation: its rate limits, and CORS headers for operations that pages of other origins
 * call.
 */
const extraHeaders = ({ security }: Operation, request: ApiRequest, { decisions }: Trace): Record<string, string> =>
  security === "origin" ? { ...rateLimitHeaders(decisions), ...corsHeaders(request) } : rateLimitHeaders(decisions);

async function answerRequest<O extends ApiOperation, Key extends ApiKeyPrincipal, P extends Prefetch>(
  definition: RouteDefinition<O, Key, P>,
  request: ApiRequest,
  params: PathParams,
): Promise<Answer> {
  const { operation } = definition;
  const { requestId } = request;
  const trace = newTrace();
  try {
    const answer = await serve(definition, request, params, trace);
    recordCall({ operation, request, trace });
    Object.assign(answer.headers, { "X-Request-Id": requestId }, extraHeaders(operation, request, trace));
    return answer;
  } catch (error) {
    recordCall({ operation, request, trace, error });
    const asked = { operation: operation.id, startedAt: request.startedAt };
    const failure = operation.mayHavePaid ? adviseOnPayment(error, trace.intentId) : error;
    return errorAnswer(failure, requestId, extraHeaders(operation, request, trace), asked);
  }
}

/**
 * Turns an operation and a handler into a route. Input and output are validated against the operation's schemas, so an
 * undeclared field never gets in or out.
 */
export function defineRoute<
  const O extends ApiOperation,
  Key extends ApiKeyPrincipal = ApiKeyPrincipal,
  P extends Prefetch = never,
>(
  operation: O,
  handler: (context: RouteContext<O, Key, P>) => Promise<Reply<O>>,
  options: Pick<RouteDefinition<O, Key, P>, "findKey" | "prefetch"> = {},
): Route {
  const definition: RouteDefinition<O, Key, P> = { operation, handler, ...options };
  return { operation, answer: (request, params) => answerRequest(definition, request, params) };
}
