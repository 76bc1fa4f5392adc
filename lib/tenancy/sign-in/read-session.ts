import type { Db } from "@/db/client";
import type { Actor } from "@/lib/platform/context";
import { findSessionUser } from "./queries";
import { sessionHash } from "./session-hash";

export type SignedIn = Extract<Actor, { kind: "user" }> & { name: string | null };

/** The person of a session cookie, as an actor; undefined if the session is unknown or has ended. One round trip. */
export async function readSession(db: Db, sessionToken: string | undefined): Promise<SignedIn | undefined> {
  if (!sessionToken || sessionToken.length > 200) return undefined;
  const user = await findSessionUser(db, sessionHash(sessionToken));
  return user && { kind: "user", ...user };
}
