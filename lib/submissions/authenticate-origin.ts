import { z } from "zod";

import type { Db } from "@/db/client";
import { EnvironmentId } from "@/lib/contract/fields";
import { AppError } from "@/lib/errors";
import { recordRefusedOrigin, resolveEnvironment } from "@/lib/web-apps";
import type { Plan } from "@/lib/workspaces";

/** A page of an allowed origin of one Web App. */
export type OriginPrincipal = {
  workspaceId: string;
  webAppId: string;
  environmentId: string;
  origin: string;
  plan: Plan;
};

const Named = z.looseObject({ environment_id: EnvironmentId });

/**
 * Who a browser's request speaks for: the environment that its body names and the Origin that the browser states.
 * A refused origin is counted for the Console. `attribute` is told the Web App as soon as it is known.
 *
 * @throws AppError invalid_request, environment_not_found, origin_not_allowed, environment_disabled
 */
export async function authenticateOrigin(
  db: Db,
  json: unknown,
  origin: string | null,
  attribute: (to: { workspaceId: string; webAppId: string }) => void,
): Promise<OriginPrincipal> {
  const named = Named.safeParse(json);
  if (!named.success) {
    throw new AppError("invalid_request", { message: "environment_id: expected env_ and 32 lower-case hex digits" });
  }
  const environmentId = named.data.environment_id;
  const environment = await resolveEnvironment(db, environmentId);
  if (!environment) throw new AppError("environment_not_found");
  attribute(environment);
  if (origin === null || !environment.origins.includes(origin)) {
    await recordRefusedOrigin(db, { ...environment, origin: origin ?? undefined });
    throw new AppError("origin_not_allowed");
  }
  if (environment.state !== "active") throw new AppError("environment_disabled");
  const { workspaceId, webAppId, plan } = environment;
  return { workspaceId, webAppId, environmentId, origin, plan };
}
