import type { Db } from "@/db/client";
import {
  type ApiKeyPrincipal,
  authenticateApiKeyBy,
  type KeyLookup,
  findPresentedEndedKey,
} from "@/lib/tenancy/api-keys";
import { authenticateManagementKey, type ManagementPrincipal } from "@/lib/tenancy/management";
import type { Operation } from "@/lib/contract/operation";
import { AppError, isAppError } from "@/lib/contract/errors";
import {
  ACTIVATION_LIMIT,
  ADDRESS_LIMITS,
  type Decision,
  environmentLimit,
  keyLimit,
  MANAGEMENT_LIMIT,
  takePermit,
} from "@/lib/platform/limits";
import { rateLimitKey } from "@/lib/platform/addresses";
import { authenticateOrigin, type OriginPrincipal, type SignedVisitor } from "@/lib/visits/submissions";
import {
  authenticateClaim,
  type ClaimPrincipal,
  identifyPurchase,
  type PurchasePrincipal,
  readTrialRate,
  requireLiveTrial,
} from "@/lib/trials";
import { PLAN_LIMITS } from "@/lib/tenancy/workspaces";
import { type ApiRequest, headerOf } from "../exchange";

export type Caller =
  | { kind: "apiKey"; principal: ApiKeyPrincipal }
  | { kind: "claimToken"; principal: ClaimPrincipal }
  | { kind: "managementKey"; principal: ManagementPrincipal }
  | { kind: "origin"; principal: OriginPrincipal }
  /** Undefined for a probe. */
  | { kind: "purchase"; principal: PurchasePrincipal | undefined };

/** The workspace, key and Web App that a call is counted for. */
export type Attribution = { workspaceId: string; keyId?: string; webAppId?: string };

type Facts = {
  db: Db;
  request: ApiRequest;
  /** The visitor for whom the site's proxy forwards the request, if it does. */
  visitor: SignedVisitor | undefined;
  /** The parsed body, not yet validated. */
  json: unknown;
  /** The row of the body's environment, read together with the address's permit. */
  environmentRow: Readonly<Record<string, unknown>> | undefined;
  /** Path parameters, not yet validated. */
  params: Record<string, string | string[] | undefined>;
  /** Looks up the caller's key, with more data if the operation needs it in the same round trip. */
  findKey: KeyLookup;
  gate: (decision: Decision) => void;
  /** Called with the call's owner as soon as that is known, whatever the outcome. */
  attribute: (to: Attribution) => void;
};

/** Rate-limit key of a client address. */
export const subjectOf = (address: string | undefined): string | undefined =>
  address === undefined ? undefined : rateLimitKey(address);

/** Counts a refused credential against the limit of the address. */
export async function countFailure(
  error: unknown,
  { db, request, gate }: Pick<Facts, "db" | "gate"> & { request: Pick<ApiRequest, "address"> },
): Promise<void> {
  if (!isAppError(error) || error.code !== "auth_failed") return;
  const subject = subjectOf(request.address);
  if (subject !== undefined) gate(await takePermit(db, ADDRESS_LIMITS.failedAuthentication, subject, "open"));
}

async function callerByKey({ db, request, findKey, gate, attribute }: Facts): Promise<Caller> {
  const presented = headerOf(request, "x-api-key") ?? "";
  try {
    const principal = await authenticateApiKeyBy(findKey, db, presented);
    attribute(principal);
    const requestsPerSecond =
      principal.plan === "trial"
        ? await readTrialRate(db, principal.workspaceId)
        : PLAN_LIMITS[principal.plan].requestsPerSecond;
    gate(await takePermit(db, keyLimit(requestsPerSecond), principal.keyId, "open"));
    return { kind: "apiKey", principal };
  } catch (error) {
    await countFailure(error, { db, request, gate });
    const owner = isAppError(error) && error.code === "auth_failed" ? findPresentedEndedKey(presented) : undefined;
    if (owner) attribute(owner);
    throw error;
  }
}

const permitActivation = (db: Db, { address }: ApiRequest, intentId: string): Promise<Decision> =>
  takePermit(db, ACTIVATION_LIMIT, `${subjectOf(address) ?? "unknown"} ${intentId}`, "closed");

/** The first call counts against the limit for creating intents, later calls against the limit for activating one. */
async function callerByPurchase({ db, request, json, gate }: Facts): Promise<Caller> {
  const token = typeof json === "object" && json !== null && "claim_token" in json ? json.claim_token : undefined;
  if (typeof token !== "string") return { kind: "purchase", principal: undefined };
  const principal = await identifyPurchase(db, token);
  gate(
    principal.found
      ? await permitActivation(db, request, principal.found.intentId)
      : await takePermit(db, ADDRESS_LIMITS.intentCreation, subjectOf(request.address) ?? "unknown", "closed"),
  );
  return { kind: "purchase", principal };
}

async function callerByClaim(operation: Operation, { db, request, params, gate }: Facts): Promise<Caller> {
  const { intentId } = params;
  try {
    const authorization = headerOf(request, "authorization") ?? "";
    const principal = await authenticateClaim(db, authorization, typeof intentId === "string" ? intentId : "");
    if (operation.addressLimit === "intentActivation") gate(await permitActivation(db, request, principal.intentId));
    return { kind: "claimToken", principal };
  } catch (error) {
    await countFailure(error, { db, request, gate });
    throw error;
  }
}

async function callerByManagementKey({ db, request, gate, attribute }: Facts): Promise<Caller> {
  try {
    const principal = await authenticateManagementKey(db, headerOf(request, "authorization") ?? "");
    attribute({ workspaceId: principal.workspaceId });
    gate(await takePermit(db, MANAGEMENT_LIMIT, principal.keyId, "open"));
    return { kind: "managementKey", principal };
  } catch (error) {
    await countFailure(error, { db, request, gate });
    throw error;
  }
}

/** A trial's environment has its own rate limit, and accepts visits only while its grant is live. */
async function callerByOrigin(operation: Operation, facts: Facts): Promise<Caller> {
  const { db, request, visitor, json, gate, attribute, environmentRow } = facts;
  // The proxy's HTTP client may drop the visitor's Origin or send a different one.
  const origin = visitor?.headers ? visitor.headers.get("origin") : headerOf(request, "origin");
  const stated = { origin: origin ?? null, keyId: visitor?.keyId };
  const principal = await authenticateOrigin(db, json, stated, attribute, environmentRow);
  if (principal.plan === "trial") {
    const { requestsPerSecond, submissionsLeft } = await requireLiveTrial(db, principal.workspaceId);
    if (operation.addressLimit === "submission") {
      gate(await takePermit(db, environmentLimit(requestsPerSecond), principal.environmentId, "open"));
    } else if (submissionsLeft === 0) throw new AppError("request_limit_reached");
  }
  return { kind: "origin", principal };
}

/**
 * Identifies the caller. Credentials are read only from where the operation expects them.
 *
 * @throws AppError `auth_failed`, `rate_limited`, `intent_not_found`, `environment_not_found`, `visitor_key_refused`,
 * `origin_not_allowed`, `environment_disabled`, `request_limit_reached`, `invalid_request`
 */
export function identifyCaller(operation: Operation, facts: Facts): Promise<Caller> | undefined {
  switch (operation.security) {
    case "apiKey":
      return callerByKey(facts);
    case "claimToken":
      return callerByClaim(operation, facts);
    case "managementKey":
      return callerByManagementKey(facts);
    case "origin":
      return callerByOrigin(operation, facts);
    case "purchase":
      return callerByPurchase(facts);
    case "none":
      return undefined;
  }
}
