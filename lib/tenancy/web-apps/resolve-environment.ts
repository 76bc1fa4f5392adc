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

/** An environment belongs to one workspace for ever: what this process has met. */
const workspaces = new Map<string, string>();
const MAX_WORKSPACES = 10_000;

function remembered(environment: Environment | undefined): Environment | undefined {
  if (environment === undefined) return undefined;
  if (workspaces.size >= MAX_WORKSPACES) workspaces.clear();
  workspaces.set(environment.environmentId, environment.workspaceId);
  return environment;
}

/** The workspace of an environment that this process has met before, which may have been archived meanwhile. */
export const workspaceOfEnvironment = (environmentId: string): string | undefined => workspaces.get(environmentId);

/** Where a submission belongs and which origins may send it; nothing for an unknown environment. One round trip. */
export async function resolveEnvironment(db: Db, environmentId: string): Promise<Environment | undefined> {
  return isEnvironmentId(environmentId) ? remembered(await findEnvironment(db, environmentId)) : undefined;
}

/** What `resolveEnvironment` reads, for a statement that does more; nothing for what is no environment's id. */
export const environmentQuery = (environmentId: string): RowQuery | undefined =>
  isEnvironmentId(environmentId) ? { sql: ENVIRONMENT, values: [environmentValues(environmentId)] } : undefined;

/** The environment of a row that its query has answered, whose columns are null where there is none. */
export const environmentOf = (environmentId: string, row: Readonly<Record<string, unknown>>): Environment | undefined =>
  row["workspace_id"] === null ? undefined : remembered(toEnvironment(environmentId, row as EnvironmentRow)); // the reading's own columns
