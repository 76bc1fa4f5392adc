import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  requireBearerAuth,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { baseUrl } from "@/lib/platform/env";
import { AppError, isAppError } from "@/lib/contract/errors";
import { addressOf, clientOf } from "@/lib/interfaces/http/client";
import { readBody, refuseDeep } from "@/lib/interfaces/http/read-body";
import { errorResponse, NO_STORE } from "@/lib/interfaces/http/response";
import { countFailure } from "@/lib/interfaces/http/stages/authenticate";
import { stoppingSignal } from "@/lib/interfaces/http/stopping";
import { newId } from "@/lib/contract/ids";
import { CLIENT_LIMIT, type Decision, rateLimitHeaders, takePermit } from "@/lib/platform/limits";
import {
  authenticateToken,
  isFromAllowedPage,
  isStillConnected,
  mcpResource,
  recordToolCall,
  requireMcpOn,
  resourceMetadataUrl,
  SCOPES,
  shareWithPage,
  type TokenPrincipal,
} from "@/lib/interfaces/oauth";
import { isStorableValue, mayHideUnstorable, unstorable } from "@/lib/platform/storable";
import type { Documents } from "./documents";
import { answerListener } from "./answer-listener";
import { withoutNulls } from "./domain/without-nulls";
import { createMcp, FACTS, isTool } from "./server";
import type { ToolContext } from "./tool";

const MAX_BODY_BYTES = 256 * 1024;

const LISTEN = "subscriptions/listen";

/** Status with which the library requests a missing scope, before the tool runs. */
const NOT_IN_SCOPE = 403;

const Message = z.object({ method: z.string() });
const ToolCall = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) });

const tooMany = ({ retryAfterSeconds }: Decision) => new AppError("rate_limited", { retryAfterSeconds });

/** @throws AppError `rate_limited` */
function requireAllowed(decision: Decision): void {
  if (!decision.allowed) throw tooMany(decision);
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error("failed", { cause: error }));

/** Token verification for the library; it also keeps the principal that it found. */
function createVerifier(request: Request) {
  const found: { principal?: TokenPrincipal; failure?: Error } = {};
  const verifyAccessToken = async (token: string): Promise<AuthInfo> => {
    try {
      const principal = await authenticateToken(database(), token);
      found.principal = principal;
      const { actor, scopes, expiresAt, audience } = principal;
      return { token, clientId: actor.clientId, scopes, expiresAt, resource: new URL(audience) };
    } catch (error) {
      if (isAppError(error) && error.code === "auth_failed") {
        const asked = { db: database(), request: { address: addressOf(request) }, gate: requireAllowed };
        await countFailure(error, asked).catch((limited: unknown) => {
          found.failure = toError(limited);
        });
        throw new OAuthError(OAuthErrorCode.InvalidToken, "The access token is unknown, expired or revoked");
      }
      found.failure = toError(error);
      throw error;
    }
  };
  return { found, verifyAccessToken };
}

/**
 * Adds all scopes to the first challenge: clients of the older protocol cannot request more later, and the person
 * deselects scopes at consent. A request without credentials gets no error code. Source: RFC 6750, section 3.1.
 */
function withScopes(challenge: Response, request: Request): Response {
  const headers = new Headers(challenge.headers);
  const first = `Bearer resource_metadata="${resourceMetadataUrl()}"`;
  const told = request.headers.has("authorization") ? (headers.get("www-authenticate") ?? first) : first;
  headers.set("www-authenticate", `${told}, scope="${SCOPES.join(" ")}"`);
  return new Response(challenge.body, { status: challenge.status, headers });
}

/** @throws AppError `rate_limited`, and errors of the token's lookup */
async function authenticate(request: Request): Promise<{ auth: AuthInfo; principal: TokenPrincipal } | Response> {
  const { found, verifyAccessToken } = createVerifier(request);
  const auth = await requireBearerAuth({
    verifier: { verifyAccessToken },
    resourceMetadataUrl: resourceMetadataUrl(),
    expectedResource: new URL(mcpResource()),
  })(request);
  if (found.failure !== undefined) throw found.failure;
  if (auth instanceof Response) return auth.status === 401 ? withScopes(auth, request) : auth;
  if (!found.principal) throw new Error("the token was accepted without being looked up");
  return { auth, principal: found.principal };
}

type ReadMessage = {
  method?: string;
  tool?: string;
  /** The message as passed to the library. */
  text: string;
};

/** Reads the message's method and the tool that it calls, even an unknown one; neither if the body is not a message. */
function readMessage(body: string): ReadMessage {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return { text: body }; // the library refuses invalid JSON
  }
  refuseDeep(sent);
  if (mayHideUnstorable(body) && !isStorableValue(sent)) throw unstorable("The message");
  // A batch would count as one call against the limit, and the protocol has had no batches since 2025-06-18.
  if (Array.isArray(sent)) throw new AppError("invalid_request", { message: "Send one message per request" });
  const message = body.includes("null") ? withoutNulls(sent) : sent;
  const text = message === sent ? body : JSON.stringify(message);
  const call = ToolCall.safeParse(message);
  if (call.success) return { method: call.data.method, tool: call.data.params.name, text };
  return { ...Message.safeParse(message).data, text };
}

const ANSWER_TYPES = ["application/json", "text/event-stream"];

/**
 * Expands `Accept` for the library, which looks for both media types by name: ranges and a missing header accept them
 * too. Source: RFC 9110, sections 8.3.1 and 12.5.1.
 */
function headersFor({ headers: sent }: Request): Headers {
  const headers = new Headers(sent);
  const ranges = (sent.get("accept")?.trim() || "*/*")
    .split(",")
    .map((part) => part.split(";", 1).join().trim().toLowerCase());
  const takes = (type: string) => [type, type.replace(/\/.*/, "/*"), "*/*"].some((range) => ranges.includes(range));
  headers.set("accept", ANSWER_TYPES.filter(takes).join(", "));
  return headers;
}

const toolContext = (principal: TokenPrincipal, requestId: string, decision: Decision): ToolContext => ({
  db: database(),
  now: now(),
  actor: principal.actor,
  principal,
  requestId,
  ...(decision.allowed ? {} : { refusal: tooMany(decision) }),
});

type AnswerMcp = ReturnType<typeof createMcp>;

async function answer(
  request: Request,
  requestId: string,
  { answerMcp, decisions }: { answerMcp: AnswerMcp; decisions: Decision[] },
): Promise<Response> {
  const foreign = originValidationResponse(request, [new URL(baseUrl()).hostname]);
  if (foreign && !isFromAllowedPage(request)) return foreign;
  await requireMcpOn();
  const identified = await authenticate(request);
  if (identified instanceof Response) return identified;
  const { auth, principal } = identified;
  const body = await readBody(request, MAX_BODY_BYTES);
  const { method: called, tool, text } = readMessage(body);
  const decision = await takePermit(database(), CLIENT_LIMIT, principal.grantId, "open");
  decisions.push(decision);
  if (!decision.allowed && tool === undefined) throw tooMany(decision);
  const extra = { ...auth.extra, [FACTS]: toolContext(principal, requestId, decision) };
  const { method, url } = request;
  const startedAt = performance.now();
  const respond = (signal: AbortSignal) => {
    const bounded = new Request(url, { method, headers: headersFor(request), signal, body: text });
    return answerMcp(Object.assign(bounded, { auth: { ...auth, extra } }), {
      method: called,
      access: principal.access,
    });
  };
  const listener = { userId: principal.actor.userId, isAllowed: () => isStillConnected(database(), principal) };
  const response =
    called === LISTEN
      ? await answerListener(listener, (refused) => respond(AbortSignal.any([request.signal, stoppingSignal, refused])))
      : await respond(request.signal);
  if (tool !== undefined && isTool(tool) && response.status === NOT_IN_SCOPE)
    recordToolCall(principal, {
      tool,
      code: "insufficient_scope",
      durationMs: performance.now() - startedAt,
      requestId,
    });
  return response;
}

async function serve(request: Request, answerMcp: AnswerMcp): Promise<Response> {
  const requestId = clientOf(request)?.requestId ?? newId("request");
  const decisions: Decision[] = [];
  try {
    const response = await answer(request, requestId, { answerMcp, decisions });
    const extra = { ...rateLimitHeaders(decisions), "X-Request-Id": requestId, "Cache-Control": NO_STORE };
    for (const [name, value] of Object.entries(extra)) response.headers.set(name, value);
    return shareWithPage(request, response);
  } catch (error) {
    const refused = errorResponse(error, requestId, rateLimitHeaders(decisions), {
      operation: "mcp",
      startedAt: clientOf(request)?.startedAt,
    });
    return shareWithPage(request, refused);
  }
}

/**
 * Answers MCP messages. Checks origin, token and audience, size and rate, then runs tools, prompts and documents.
 * Stateless, so any replica can answer any request.
 */
export function openMcp(documents: Documents): (request: Request) => Promise<Response> {
  const answerMcp = createMcp(documents);
  return (request) => serve(request, answerMcp);
}
