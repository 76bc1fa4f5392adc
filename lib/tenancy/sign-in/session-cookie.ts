import type { Db } from "@/db/client";
import { baseUrl } from "@/lib/platform/env";
import { decodeCookie } from "@/lib/platform/decode-cookie";
import { readSession, type SignedIn } from "./read-session";

const isSecure = () => baseUrl().startsWith("https:");

/** Name of the session cookie, as chosen by next-auth. */
export const sessionCookie = (): string => (isSecure() ? "__Secure-authjs.session-token" : "authjs.session-token");

export function readSessionOfCookies(db: Db, cookie: string): Promise<SignedIn | undefined> {
  const name = `${sessionCookie()}=`;
  const part = cookie.split(/;\s*/).find((each) => each.startsWith(name));
  return readSession(db, part && decodeCookie(part.slice(name.length)));
}
