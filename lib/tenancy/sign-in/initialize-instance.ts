import { readFileSync } from "node:fs";

import type { Database } from "@/db/client";
import { drawKey, requireKeyText } from "@/lib/tenancy/api-keys";
import { now } from "@/lib/platform/clock";
import { isAppError } from "@/lib/contract/errors";
import { idPattern, newId } from "@/lib/contract/ids";
import { createWebApp, requireOrigins } from "@/lib/tenancy/web-apps";
import { isEmptyInstance, requireEmail, requireName } from "@/lib/tenancy/workspaces";
import { type InitialVariables, readInitialSet, type WebAppSet } from "./domain/initial-set";
import { makeFirstOwner } from "./make-first-owner";
import { lockSetup } from "./queries";

export type { InitialVariables };

/** Prefixes an error with the name of the variable. Values may be secrets and are not repeated. */
function named<T>(name: keyof InitialVariables, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    throw new Error(`${name}: ${error.message}`, { cause: error });
  }
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new Error(`INIT_API_KEY_FILE: ${file} cannot be read`, { cause: error });
  }
}

function checkWebApp({ name, origins, environmentId, key }: WebAppSet) {
  if (environmentId !== undefined && !idPattern("environment").test(environmentId))
    throw new Error("INIT_ENVIRONMENT_ID: expected env_ and 32 hex digits in lower case");
  const allowed = named("INIT_ORIGINS", () => requireOrigins(origins));
  if (allowed.length === 0) throw new Error("INIT_ORIGINS: expected at least one origin");
  return {
    name: named("INIT_WEB_APP", () => requireName(name)),
    origins: allowed,
    environmentId,
    keySecret:
      "text" in key
        ? named("INIT_API_KEY", () => requireKeyText(key.text))
        : named("INIT_API_KEY_FILE", () => requireKeyText(readKeyFile(key.file))),
  };
}

/** @throws Error naming the variable */
function readValues(given: InitialVariables) {
  const reading = readInitialSet(given);
  if ("obstacle" in reading) throw new Error(reading.obstacle);
  const { set } = reading;
  if (!set) return undefined;
  return {
    email: named("INIT_OWNER_EMAIL", () => requireEmail(set.email)),
    workspaceName: named("INIT_WORKSPACE", () => requireName(set.workspaceName)),
    webApp: set.webApp && checkWebApp(set.webApp),
  };
}

type Made = { email: string; workspaceId: string; environmentId: string | undefined };

/**
 * Sets up an empty instance from the environment: owner, workspace, Web App and key, atomically. If several processes start
 * at the same time, one does it. If any user or workspace exists, the variables are not even read.
 *
 * @returns undefined if nothing was created
 * @throws Error naming the missing or malformed variable
 */
export async function initializeInstance(db: Database, given: InitialVariables): Promise<Made | undefined> {
  return await db.transaction(async (tx) => {
    await lockSetup(tx);
    if (!(await isEmptyInstance(tx))) return undefined;
    const values = readValues(given);
    if (!values) return undefined;
    const { email, workspaceName, webApp } = values;
    const request = { db: tx, now: now() };
    const { context, workspaceId } = await makeFirstOwner(request, { email, workspaceName, by: "environment" });
    const made = webApp && (await createWebApp(context, { workspaceId, ...webApp }));
    return { email, workspaceId, environmentId: made?.environmentId };
  });
}

/** A new key and environment id for the INIT_ variables of an instance. */
export const drawInitialValues = () => ({ apiKey: drawKey("live"), environmentId: newId("environment") });
