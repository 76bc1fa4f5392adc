import type { Db } from "@/db/client";
import type { Reading } from "@/db/prepared";
import { idPattern } from "@/lib/ids";
import {
  ENVIRONMENT,
  type Environment,
  type EnvironmentRow,
  environmentValues,
  findEnvironment,
  toEnvironment,
} from "./queries";

const isEnvironmentId = (id: string) => idPattern("environment").test(id);

/** Where a submission belongs and which origins may send it; nothing for an unknown environment. One round trip. */
export async function resolveEnvironment(db: Db, environmentId: string): Promise<Environment | undefined> {
  return isEnvironmentId(environmentId) ? await findEnvironment(db, environmentId) : undefined;
}

/** What `resolveEnvironment` reads, for a statement that does more; nothing for what is no environment's id. */
export const environmentReading = (environmentId: string): Reading | undefined =>
  isEnvironmentId(environmentId) ? { sql: ENVIRONMENT, values: environmentValues(environmentId) } : undefined;

/** The environment of a row that its reading has answered, whose columns are null where there is none. */
export const environmentOf = (
  environmentId: string,
  row: Readonly<Record<string, unknown>>,
): Environment | undefined =>
  row["workspace_id"] === null ? undefined : toEnvironment(environmentId, row as EnvironmentRow); // the reading's own columns
