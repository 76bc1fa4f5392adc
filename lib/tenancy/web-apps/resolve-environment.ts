import { LRUCache } from "lru-cache";

import type { Db } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import { idPattern } from "@/lib/contract/ids";
import {
  ENVIRONMENT,
  type Environment,
  type EnvironmentRow,
  environmentValues,
  findEnvironment,
  toEnvironment,
} from "./queries";

const isEnvironmentId = (id: string) => idPattern("environment").test(id);

/** Workspaces by environment, which never change. */
const workspaces = new LRUCache<string, string>({ max: 10_000 });

function cached(environment: Environment | undefined): Environment | undefined {
  if (environment) workspaces.set(environment.environmentId, environment.workspaceId);
  return environment;
}

/** The workspace of an environment from this process's cache; the environment may be archived by now. */
export const workspaceOfEnvironment = (environmentId: string): string | undefined => workspaces.get(environmentId);

/**
 * Workspace, Web App and allowed origins of a submission, and whether the key `keyId` speaks for the workspace;
 * undefined for an unknown environment. One round trip.
 */
export async function resolveEnvironment(
  db: Db,
  environmentId: string,
  keyId?: string,
): Promise<Environment | undefined> {
  return isEnvironmentId(environmentId) ? cached(await findEnvironment(db, environmentId, keyId)) : undefined;
}

/** The query of `resolveEnvironment`, to be joined to another statement; undefined for a malformed id. */
export const environmentQuery = (environmentId: string, keyId?: string): RowQuery | undefined =>
  isEnvironmentId(environmentId) ? { sql: ENVIRONMENT, values: [environmentValues(environmentId, keyId)] } : undefined;

/** The environment of a row of `environmentQuery`; its columns are null for an unknown environment. */
export const environmentOf = (environmentId: string, row: Readonly<Record<string, unknown>>): Environment | undefined =>
  row["workspace_id"] === null ? undefined : cached(toEnvironment(environmentId, row as EnvironmentRow)); // safe: the columns of ENVIRONMENT
