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
 * Workspace and Web App of the environments seen by this process. These never change; state and origins are read every
 * time. Unknown environments are not cached, so invented ids cannot fill the cache.
 */
const places = new LRUCache<string, EnvironmentPlace>({ max: 10_000 });

/** The cached place of an environment. The environment may have been archived since. */
export const placeOfEnvironment = (environmentId: string): EnvironmentPlace | undefined => places.get(environmentId);

function remember(environmentId: string, place: EnvironmentPlace | undefined): EnvironmentPlace | undefined {
  if (place) places.set(environmentId, place);
  return place;
}

/**
 * Workspace, Web App and allowed origins of a submission, and whether the key `keyId` belongs to the workspace; undefined
 * for an unknown environment. One round trip, or two for an environment that this process has not seen.
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
 * The query whose row `environmentOf` reads, to be piggybacked on another statement. If this process has not seen the
 * environment, the query only finds its place, which `learnEnvironment` stores. Undefined for a malformed id.
 */
export function environmentQuery(environmentId: string, keyId?: string): RowQuery | undefined {
  if (!isEnvironmentId(environmentId)) return undefined;
  const place = places.get(environmentId);
  return place
    ? { sql: ENVIRONMENT, values: [environmentValues(place, keyId)] }
    : { sql: ENVIRONMENT_PLACE, values: [environmentPlaceValues(environmentId)] };
}

type Row = Readonly<Record<string, unknown>>;

/** Stores the place if this row has one. True means that the environment itself still has to be read. */
export const learnEnvironment = (environmentId: string, row: Row): boolean =>
  remember(environmentId, placeOfRow(row)) !== undefined;

/** The environment in a row of `environmentQuery`; its columns are null or missing for an unknown environment. */
export function environmentOf(environmentId: string, row: Row): Environment | undefined {
  if (typeof row["workspace_id"] === "string") return toEnvironment(environmentId, row as EnvironmentRow); // safe: the columns of ENVIRONMENT
  // Not found: the environment is unknown, or the cached place is from before a restore of the database.
  places.delete(environmentId);
  return undefined;
}
