import type { Db } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import { AppError } from "@/lib/contract/errors";
import {
  environmentOf,
  environmentQuery,
  learnEnvironment,
  recordRefusedOrigin,
  resolveEnvironment,
} from "@/lib/tenancy/web-apps";
import type { Plan } from "@/lib/tenancy/workspaces";

/** A page of an allowed origin of one Web App. */
export type OriginPrincipal = {
  workspaceId: string;
  webAppId: string;
  environmentId: string;
  origin: string;
  plan: Plan;
  /** Whether the workspace has a webhook endpoint subscribed to visits. */
  hasVisitListener: boolean;
  /** Ids of rules whose findings do not count towards the verdict. */
  observedRules: readonly string[];
};

function namedEnvironment(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("environment_id" in json)) return undefined;
  const { environment_id: environmentId } = json;
  return typeof environmentId === "string" ? environmentId : undefined;
}

/**
 * Query for the environment named in a body and for the signing key, to be merged into an earlier statement. Its row is
 * passed to `authenticateOrigin`. Undefined if the body names no environment.
 */
export function originQuery(json: unknown, keyId?: string): RowQuery | undefined {
  const environmentId = namedEnvironment(json);
  return environmentId === undefined ? undefined : environmentQuery(environmentId, keyId);
}

/**
 * Caches the environment's workspace and Web App if `row` (from `originQuery`) has them. True means that `originQuery`
 * must be run again, to read the environment itself.
 */
export function learnOrigin(json: unknown, row: Readonly<Record<string, unknown>>): boolean {
  const environmentId = namedEnvironment(json);
  return environmentId !== undefined && learnEnvironment(environmentId, row);
}

/** What the browser, or the site's proxy on its behalf, sends outside the body. */
type Stated = {
  origin: string | null;
  /** Key that signed for the visitor, if a proxy sent the request. */
  keyId: string | undefined;
};

/**
 * Authenticates a browser's request by the environment in its body and its Origin header. Refused origins are counted
 * for the Console. `attribute` is called as soon as the Web App is known. `row` is the result of `originQuery`, if it
 * was read in advance.
 *
 * @throws AppError `invalid_request`, `environment_not_found`, `visitor_key_refused`, `origin_not_allowed`,
 *   `environment_disabled`
 */
export async function authenticateOrigin(
  db: Db,
  json: unknown,
  { origin, keyId }: Stated,
  attribute: (to: { workspaceId: string; webAppId: string }) => void,
  row?: Readonly<Record<string, unknown>>,
): Promise<OriginPrincipal> {
  const environmentId = namedEnvironment(json);
  if (environmentId === undefined || originQuery(json) === undefined)
    throw new AppError("invalid_request", { message: "environment_id: expected env_ and 32 lower-case hex digits" });
  const environment = row ? environmentOf(environmentId, row) : await resolveEnvironment(db, environmentId, keyId);
  if (!environment) throw new AppError("environment_not_found");
  attribute(environment);
  if (keyId !== undefined && !environment.isKeyUsable) throw new AppError("visitor_key_refused");
  if (origin === null || !environment.origins.includes(origin)) {
    await recordRefusedOrigin(db, { ...environment, origin: origin ?? undefined });
    throw new AppError("origin_not_allowed");
  }
  if (environment.state !== "active") throw new AppError("environment_disabled");
  const { workspaceId, webAppId, plan, hasVisitListener, observedRules } = environment;
  return { workspaceId, webAppId, environmentId, origin, plan, hasVisitListener, observedRules };
}
