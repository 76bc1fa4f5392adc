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
  /** Whether an endpoint of the workspace listens to visits. */
  hasVisitListener: boolean;
  /** Ids of the rules that are evidence only. */
  observedRules: readonly string[];
};

function namedEnvironment(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("environment_id" in json)) return undefined;
  const { environment_id: environmentId } = json;
  return typeof environmentId === "string" ? environmentId : undefined;
}

/**
 * What `authenticateOrigin` reads of a body's environment, and of the key that signed, for a statement that is sent
 * before; nothing without an environment.
 */
export function originQuery(json: unknown, keyId?: string): RowQuery | undefined {
  const environmentId = namedEnvironment(json);
  return environmentId === undefined ? undefined : environmentQuery(environmentId, keyId);
}

/** Whether `row`, of `originQuery`, says whose the body's environment is: then `originQuery` is to be asked again. */
export function learnOrigin(json: unknown, row: Readonly<Record<string, unknown>>): boolean {
  const environmentId = namedEnvironment(json);
  return environmentId !== undefined && learnEnvironment(environmentId, row);
}

/** What the browser, or for it a proxy of the site, states besides the body. */
type Stated = {
  origin: string | null;
  /** The key that signed for the visitor, where a proxy did. */
  keyId: string | undefined;
};

/**
 * Who a browser's request speaks for: the environment that its body names and the Origin that the browser states.
 * A refused origin is counted for the Console. `attribute` is called with the Web App as soon as it is known. `row` is what
 * `originQuery` answered, where it was read before.
 *
 * @throws AppError invalid_request, environment_not_found, visitor_key_refused, origin_not_allowed,
 *   environment_disabled
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
