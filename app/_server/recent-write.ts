import { cookies } from "next/headers";

import { type Database, readerDatabase } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";

const NAME = "imprint-recent-write";
/** Beyond what a replica may lack: for a write that took its time, and for the way to the browser. */
const MARGIN_SECONDS = 10;

/**
 * Where a page reads what may be some seconds old; nothing while the person has just changed something, so that every
 * page shows it. The cookie goes to whichever process answers next.
 */
export async function pageReader(): Promise<Database | undefined> {
  const reader = readerDatabase();
  return reader && (await cookies()).get(NAME) === undefined ? reader : undefined;
}

/** Notes that the person has changed something, for as long as a replica may not know it. */
export async function rememberWrite(): Promise<void> {
  if (readerDatabase() === undefined) return;
  (await cookies()).set(NAME, "1", {
    httpOnly: true,
    sameSite: "lax",
    secure: baseUrl().startsWith("https:"),
    path: "/",
    maxAge: Math.ceil(env.DATABASE_READ_MAX_LAG_SECONDS) + MARGIN_SECONDS,
  });
}
