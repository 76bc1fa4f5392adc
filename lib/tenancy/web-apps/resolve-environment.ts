import { LRUCache } from "lru-cache";

import type { Db } from "@/db/client";
import type { RowQuery } from "@/db/prepared";
import { idPattern } from "@/lib/contract/ids";
import {
  ENVIRONMENT,
  ENVIRONMENT_PLACE,
  type Environment,
  type EnvironmentPlace,
  type EnvironmentRow,
  environmentPlaceValues,
  environmentValues,
  findEnvironment,
  findPlace,
  placeOfRow,
  toEnvironment,
} from "./queries";

const isEnvironmentId = (id: string) => idPattern("environment").test(id);

/**
 * Whose the environments are that this process has met: that never changes; state and origins are read each time. Those
 * that are not stored are not remembered, so callers with invented ones take no room.
 */
const places = new LRUCache<string, EnvironmentPlace>({ max: 10_000 });

/** Whose an environment is, as far as this process knows; it may be archived by now. */
export const placeOfEnvironment = (environmentId: string): EnvironmentPlace | undefined => places.get(environmentId);

function remember(environmentId: string, place: EnvironmentPlace | undefined): EnvironmentPlace | undefined {
  if (place) places.set(environmentId, place);
  return place;
}

/**
 * Workspace, Web App and allowed origins of a submission, and whether the key `keyId` speaks for the workspace;
 * undefined for an unknown environment. One round trip, two for an environment that this process has not met.
 */
export async function resolveEnvironment(
  db: Db,
  environmentId: string,
  keyId?: string,
): Promise<Environment | undefined> {
  if (!isEnvironmentId(environmentId)) return undefined;
  const known = places.get(environmentId);
  const found = known && (await findEnvironment(db, environmentId, known, keyId));
  if (found) return found;
  const place = remember(environmentId, await findPlace(db, environmentId));
  return place && (await findEnvironment(db, environmentId, place, keyId));
}

/**
 * What is read of an environment by `environmentOf`, to be joined to another statement: where this process has not met
 * it, whose it is, which `learnEnvironment` is given. Undefined for a malformed id.
 */
export function environmentQuery(environmentId: string, keyId?: string): RowQuery | undefined {
  if (!isEnvironmentId(environmentId)) return undefined;
  const place = places.get(environmentId);
  return place
    ? { sql: ENVIRONMENT, values: [environmentValues(place, keyId)] }
    : { sql: ENVIRONMENT_PLACE, values: [environmentPlaceValues(environmentId)] };
}

type Row = Readonly<Record<string, unknown>>;

/** Whether whose an environment is was read by this row: then the environment itself is to be read. */
export const learnEnvironment = (environmentId: string, row: Row): boolean =>
  remember(environmentId, placeOfRow(row)) !== undefined;

/** The environment of a row of `environmentQuery`; its columns are null or missing for an unknown environment. */
export function environmentOf(environmentId: string, row: Row): Environment | undefined {
  if (typeof row["workspace_id"] === "string") return toEnvironment(environmentId, row as EnvironmentRow); // safe: the columns of ENVIRONMENT
  // Not there: unknown, or of another database, which a restored one replaced.
  places.delete(environmentId);
  return undefined;
}
