import { sha256 } from "@/lib/platform/secrets";

/** What the database holds of a session's token: a copy of the database opens no session. */
export const sessionHash = (token: string): string => sha256(token).toString("hex");
