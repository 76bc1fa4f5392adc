import { sha256 } from "@/lib/platform/secrets";

/** Stored form of a session token, so that a copy of the database contains no usable sessions. */
export const sessionHash = (token: string): string => sha256(token).toString("hex");
