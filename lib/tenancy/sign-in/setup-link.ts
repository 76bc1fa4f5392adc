import { randomBytes } from "node:crypto";

import type { Db } from "@/db/client";
import { baseUrl } from "@/lib/platform/env";
import { sha256 } from "@/lib/platform/secrets";
import { hasAnyOwner } from "@/lib/tenancy/workspaces";
import { findUnusedSetupLink, insertSetupLink } from "./queries";

/** A new one-time link for the first set-up, to be printed at start-up; undefined if there is an owner. */
export async function ensureSetupLink(db: Db): Promise<string | undefined> {
  if (await hasAnyOwner(db)) return undefined;
  const token = randomBytes(32).toString("base64url");
  await db.transaction((tx) => insertSetupLink(tx, sha256(token)));
  return `${baseUrl()}/setup?token=${token}`;
}

/** Whether a set-up link is still usable. */
export async function checkSetupToken(db: Db, token: string): Promise<boolean> {
  return (await findUnusedSetupLink(db, sha256(token))) && !(await hasAnyOwner(db));
}
