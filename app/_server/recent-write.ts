import { cookies } from "next/headers";

import { type Database, readerDatabase } from "@/db/client";
import { baseUrl, env } from "@/lib/platform/env";

const NAME = "imprint-recent-write";
/** Added to the maximum replica lag, for slow writes and the time until the browser has the response. */
const MARGIN_SECONDS = 10;

/**
 * The replica for data that may be some seconds old; undefined right after the person's own changes, so that every
 * page shows them. A cookie carries this, so it works whichever process answers next.
 */
export async function pageReader(): Promise<Database | undefined> {
  const reader = readerDatabase();
  return reader && (await cookies()).get(NAME) === undefined ? reader : undefined;
}

/** Records that the person changed something, for as long as a replica may lag. */
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
