import type { Incoming } from "./proxy-types";

/** 400 days: the longest life that browsers grant a cookie. */
const MAX_AGE_SECONDS = 34_560_000;

const TOKEN = /^[\w-]{20,200}$/;

/** All values of a header as one, the way in which cookies are joined. */
export const headerOf = (
  { headers }: Pick<Incoming, "headers">,
  name: string,
  separator = ", ",
): string | undefined => {
  const values = headers.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(separator);
};

/** The token in the visitor's cookie; empty without one, and for what the service never issued. */
export function readToken(incoming: Incoming, cookieName: string): string {
  const pairs = (headerOf(incoming, "cookie", "; ") ?? "").split(";").map((pair) => pair.trim());
  const start = `${cookieName}=`;
  return (
    pairs
      .filter((pair) => pair.startsWith(start))
      .map((pair) => pair.slice(start.length))
      .find((value) => TOKEN.test(value)) ?? ""
  );
}

/** Whether the page is on plain http: only there may a cookie do without `Secure`, or the browser would drop it. */
const isPlain = (incoming: Incoming) => headerOf(incoming, "origin")?.startsWith("http://") === true;

/**
 * The `Set-Cookie` that keeps a token; undefined for what is none. Without `Path` a browser takes the path of the address
 * that it asked for: the right one also where something in front takes a prefix off, such as Next its basePath. Behind a
 * slash at the end that would be one part too long. Source: RFC 6265, section 5.1.4.
 */
export function tokenCookie(incoming: Incoming, cookieName: string, path: string, token: string): string | undefined {
  if (!TOKEN.test(token)) return undefined;
  const secure = isPlain(incoming) ? "" : "; Secure";
  const scope = incoming.name.endsWith("/") ? `; Path=${path}` : "";
  return `${cookieName}=${token}${scope}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
