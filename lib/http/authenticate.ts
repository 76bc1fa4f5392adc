import type { Db } from "@/db/client";
import { type ApiKeyPrincipal, authenticateApiKey } from "@/lib/api-keys";
import type { Operation } from "@/lib/contract/operation";
import { isAppError } from "@/lib/errors";
import { ADDRESS_LIMITS, type Decision, keyLimit, takePermit } from "@/lib/limits";
import { authenticateOrigin, type OriginPrincipal } from "@/lib/submissions";
import { PLAN_LIMITS } from "@/lib/workspaces";

export type Caller = { kind: "apiKey"; principal: ApiKeyPrincipal } | { kind: "origin"; principal: OriginPrincipal };

type Facts = {
  db: Db;
  request: Request;
  /** The parsed body, not yet checked. */
  json: unknown;
  /** Rate-limit key of the client address. */
  subject: string | undefined;
  gate: (decision: Decision) => void;
};

async function callerByKey({ db, request, subject, gate }: Facts): Promise<Caller> {
  try {
    const principal = await authenticateApiKey(db, request.headers.get("x-api-key") ?? "");
    gate(await takePermit(db, keyLimit(PLAN_LIMITS[principal.plan].requestsPerSecond), principal.keyId, "open"));
    return { kind: "apiKey", principal };
  } catch (error) {
    if (isAppError(error) && error.code === "auth_failed" && subject !== undefined) {
      gate(await takePermit(db, ADDRESS_LIMITS.failedAuthentication, subject, "open"));
    }
    throw error;
  }
}

/**
 * Who calls. Credentials count only where the operation puts them.
 *
 * @throws AppError auth_failed, rate_limited, environment_not_found, origin_not_allowed, environment_disabled, invalid_request
 */
export async function identifyCaller(operation: Operation, facts: Facts): Promise<Caller | undefined> {
  switch (operation.security) {
    case "apiKey":
      return callerByKey(facts);
    case "origin":
      return {
        kind: "origin",
        principal: await authenticateOrigin(facts.db, facts.json, facts.request.headers.get("origin")),
      };
    case "none":
    case "claimToken":
    case "session":
      return undefined;
  }
}
