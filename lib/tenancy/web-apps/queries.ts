import { and, asc, count, eq, gt, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement, type Values } from "@/db/prepared";
import { allowedOrigins, environmentLookup, webApps } from "@/db/schema";
import { idToUuid, uuidToId } from "@/lib/contract/ids";
import { isKeyUsableIn } from "@/lib/tenancy/api-keys";
import { observedRulesIn } from "@/lib/tenancy/rule-modes";
import { hasVisitListener } from "@/lib/tenancy/webhooks";
import { joinWorkspace, type Plan } from "@/lib/tenancy/workspaces";
import type { WebAppState } from "./domain/web-app-state";

type NewWebApp = { workspaceId: string; webAppId: string; environmentId: string; name: string };

export async function insertWebApp(tx: Db, row: NewWebApp): Promise<void> {
  await tx.insert(webApps).values(row);
  await tx
    .insert(environmentLookup)
    .values({ environmentId: row.environmentId, workspaceId: row.workspaceId, webAppId: row.webAppId });
}

const ofWebApp = (workspaceId: string, webAppId: string) =>
  and(eq(webApps.workspaceId, workspaceId), eq(webApps.webAppId, webAppId));

const webAppColumns = {
  workspaceId: webApps.workspaceId,
  webAppId: webApps.webAppId,
  environmentId: webApps.environmentId,
  name: webApps.name,
  state: webApps.state,
  createdAt: webApps.createdAt,
};

export async function findWebApp(db: Db, workspaceId: string, webAppId: string) {
  const [row] = await db.select(webAppColumns).from(webApps).where(ofWebApp(workspaceId, webAppId));
  return row;
}

/** The Web App, locked with its origins until the end of the transaction. */
export async function lockWebApp(tx: Db, workspaceId: string, webAppId: string) {
  const [row] = await tx
    .select(webAppColumns)
    .from(webApps)
    .where(ofWebApp(workspaceId, webAppId))
    .for("no key update");
  return row;
}

export async function updateWebAppState(
  tx: Db,
  workspaceId: string,
  webAppId: string,
  state: WebAppState,
): Promise<void> {
  await tx.update(webApps).set({ state }).where(ofWebApp(workspaceId, webAppId));
}

/** Sets the creation date of a demo Web App. */
export async function dateDemoWebApp(
  db: Db,
  { workspaceId, webAppId, createdAt }: { workspaceId: string; webAppId: string; createdAt: Date },
): Promise<void> {
  await db.update(webApps).set({ createdAt }).where(ofWebApp(workspaceId, webAppId));
}

export async function updateWebAppName(tx: Db, workspaceId: string, webAppId: string, name: string): Promise<void> {
  await tx.update(webApps).set({ name }).where(ofWebApp(workspaceId, webAppId));
}

export const listWebAppNames = (db: Db, workspaceId: string, webAppIds: readonly string[]) =>
  db
    .select({ webAppId: webApps.webAppId, name: webApps.name })
    .from(webApps)
    .where(and(eq(webApps.workspaceId, workspaceId), inArray(webApps.webAppId, [...webAppIds])));

export function listWebAppRows(db: Db, workspaceId: string) {
  return db
    .select(webAppColumns)
    .from(webApps)
    .where(eq(webApps.workspaceId, workspaceId))
    .orderBy(asc(webApps.createdAt), asc(webApps.webAppId));
}

/** Expired origins are no longer on the list. */
const isAllowed = or(isNull(allowedOrigins.expiresAt), gt(allowedOrigins.expiresAt, sql`now()`));

const originColumns = {
  webAppId: allowedOrigins.webAppId,
  origin: allowedOrigins.origin,
  expiresAt: allowedOrigins.expiresAt,
};

export function listOriginRows(db: Db, workspaceId: string, webAppIds: string[]) {
  return db
    .select(originColumns)
    .from(allowedOrigins)
    .where(and(eq(allowedOrigins.workspaceId, workspaceId), inArray(allowedOrigins.webAppId, webAppIds), isAllowed))
    .orderBy(asc(allowedOrigins.createdAt), asc(allowedOrigins.origin));
}

type WebAppKey = { workspaceId: string; webAppId: string };

const ofOrigins = ({ workspaceId, webAppId }: WebAppKey) =>
  and(eq(allowedOrigins.workspaceId, workspaceId), eq(allowedOrigins.webAppId, webAppId));

export async function deleteExpiredOrigins(tx: Db, webApp: WebAppKey): Promise<void> {
  await tx.delete(allowedOrigins).where(and(ofOrigins(webApp), lte(allowedOrigins.expiresAt, sql`now()`)));
}

export async function countOrigins(tx: Db, webApp: WebAppKey): Promise<number> {
  const [row] = await tx.select({ origins: count() }).from(allowedOrigins).where(ofOrigins(webApp));
  return row?.origins ?? 0;
}

/**
 * Allows origins, permanently without `expiresAfterSeconds`. An origin that is already allowed keeps the later of its two
 * expiries.
 *
 * @returns the origins that are new, or now allowed for longer
 */
export async function insertOrigins(
  tx: Db,
  { workspaceId, webAppId }: WebAppKey,
  origins: string[],
  expiresAfterSeconds?: number,
): Promise<string[]> {
  if (origins.length === 0) return [];
  const expiresAt =
    expiresAfterSeconds === undefined ? null : sql`now() + make_interval(secs => ${expiresAfterSeconds}::float8)`;
  const rows = await tx
    .insert(allowedOrigins)
    .values(origins.map((origin) => ({ workspaceId, webAppId, origin, expiresAt })))
    .onConflictDoUpdate({
      target: [allowedOrigins.workspaceId, allowedOrigins.webAppId, allowedOrigins.origin],
      set: { expiresAt: sql`excluded.expires_at` },
      setWhere: sql`${allowedOrigins.expiresAt} is not null
        and coalesce(excluded.expires_at > ${allowedOrigins.expiresAt}, true)`,
    })
    .returning({ origin: allowedOrigins.origin });
  return rows.map((row) => row.origin);
}

/** False if the origin was not on the list. */
export async function deleteOrigin(tx: Db, workspaceId: string, webAppId: string, origin: string): Promise<boolean> {
  const rows = await tx
    .delete(allowedOrigins)
    .where(
      and(
        eq(allowedOrigins.workspaceId, workspaceId),
        eq(allowedOrigins.webAppId, webAppId),
        eq(allowedOrigins.origin, origin),
      ),
    )
    .returning({ origin: allowedOrigins.origin });
  return rows.length > 0;
}

export type Environment = {
  environmentId: string;
  workspaceId: string;
  webAppId: string;
  state: WebAppState;
  plan: Plan;
  /** Normalised as browsers send them. */
  origins: string[];
  /** Whether the requested signing key is usable and belongs to the same workspace. */
  isKeyUsable: boolean;
  /** Whether a webhook endpoint of the workspace subscribes to visits. */
  hasVisitListener: boolean;
  /** Ids of the rules in observe mode. */
  observedRules: string[];
};

export type EnvironmentRow = {
  workspace_id: string;
  web_app_id: string;
  state: WebAppState;
  plan: Plan;
  origins: string[];
  is_key_usable: boolean;
  has_visit_listener: boolean;
  rules_observed: string[];
};

/** Joins the Web App of a row as `a`, for statements of other features that need its `name`. */
export const joinWebApp = (row: string): SQL =>
  sql.raw(`join web_apps a on a.workspace_id = ${row}.workspace_id and a.web_app_id = ${row}.web_app_id`);

/** Workspace and Web App of an environment, which never change. */
export type EnvironmentPlace = { workspaceId: string; webAppId: string };

/** Looks up the place of an environment. Its column names are unique among piggybacked queries. */
export const ENVIRONMENT_PLACE = sql`
  select l.workspace_id as place_workspace, l.web_app_id as place_web_app
  from environment_lookup l where l.environment_id = ${sql.placeholder("environment")}::uuid`;

/** Bind values for `ENVIRONMENT_PLACE`. */
export const environmentPlaceValues = (environmentId: string): Values => ({ environment: idToUuid(environmentId) });

/** The place in a row of `ENVIRONMENT_PLACE`; undefined if it found none, and for rows of other queries. */
export function placeOfRow(row: Readonly<Record<string, unknown>>): EnvironmentPlace | undefined {
  const { place_workspace: workspace, place_web_app: webApp } = row;
  if (typeof workspace !== "string" || typeof webApp !== "string") return undefined;
  return { workspaceId: uuidToId("workspace", workspace), webAppId: uuidToId("webApp", webApp) };
}

const ENVIRONMENT_WORKSPACE = sql`${sql.placeholder("workspace")}::uuid`;
const ENVIRONMENT_WEB_APP = sql`${sql.placeholder("environmentWebApp")}::uuid`;

/**
 * State and allowed origins of an environment, given its place, and whether a key belongs to its workspace. Each part names
 * the workspace, so that the whole statement runs on its shard.
 */
export const ENVIRONMENT = sql`
  select a.workspace_id, a.web_app_id, a.state, w.plan,
    to_json(array(select o.origin from allowed_origins o
      where o.workspace_id = ${ENVIRONMENT_WORKSPACE} and o.web_app_id = ${ENVIRONMENT_WEB_APP}
        and (o.expires_at is null or o.expires_at > now()))) as origins,
    ${isKeyUsableIn(ENVIRONMENT_WORKSPACE, sql`${sql.placeholder("signingKey")}::uuid`)} as is_key_usable,
    ${hasVisitListener(ENVIRONMENT_WORKSPACE)} as has_visit_listener,
    to_json(${observedRulesIn(ENVIRONMENT_WORKSPACE)}) as rules_observed
  from web_apps a
  ${joinWorkspace("a")}
  where a.workspace_id = ${ENVIRONMENT_WORKSPACE} and a.web_app_id = ${ENVIRONMENT_WEB_APP}`;

/** Bind values for `ENVIRONMENT`. */
export const environmentValues = ({ workspaceId, webAppId }: EnvironmentPlace, keyId?: string): Values => ({
  workspace: idToUuid(workspaceId),
  environmentWebApp: idToUuid(webAppId),
  signingKey: keyId === undefined ? null : idToUuid(keyId),
});

export function toEnvironment(environmentId: string, row: EnvironmentRow): Environment {
  const { workspace_id: workspace, web_app_id: webApp, state, plan, origins, is_key_usable: isKeyUsable } = row;
  return {
    environmentId,
    workspaceId: uuidToId("workspace", workspace),
    webAppId: uuidToId("webApp", webApp),
    state,
    plan,
    origins,
    isKeyUsable,
    hasVisitListener: row.has_visit_listener,
    observedRules: row.rules_observed,
  };
}

const readPlace = statement<Record<string, unknown>>(ENVIRONMENT_PLACE, "look environment up");

export async function findPlace(db: Db, environmentId: string): Promise<EnvironmentPlace | undefined> {
  const [row] = await readPlace(db, environmentPlaceValues(environmentId));
  return row && placeOfRow(row);
}

const readEnvironment = statement<EnvironmentRow>(ENVIRONMENT, "read environment");

export async function findEnvironment(
  db: Db,
  environmentId: string,
  place: EnvironmentPlace,
  keyId?: string,
): Promise<Environment | undefined> {
  const [row] = await readEnvironment(db, environmentValues(place, keyId));
  return row && toEnvironment(environmentId, row);
}

/** The workspace of a Web App, for operators, who pass only the Web App's id. */
export async function findWorkspaceOfWebApp(db: Db, webAppId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ workspaceId: environmentLookup.workspaceId })
    .from(environmentLookup)
    .where(eq(environmentLookup.webAppId, webAppId));
  return row?.workspaceId;
}
