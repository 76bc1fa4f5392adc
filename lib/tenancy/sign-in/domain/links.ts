import { isStorableTarget } from "@/lib/platform/storable";

export const SESSION_DAYS = 30;

/** Lifetime of a sign-in link in seconds. */
export const LOGIN_LINK_SECONDS = 15 * 60;

type LoginLink = { baseUrl: string; token: string; email: string; callbackUrl: string };

/**
 * The URL sent in mails. It opens a page with a button: mail scanners follow links, and the token works only once.
 */
export const confirmUrl = ({ baseUrl, ...parameters }: LoginLink): string =>
  `${baseUrl}/sign-in/confirm?${new URLSearchParams(parameters).toString()}`;

/**
 * The path of this service to return to; `/` for any other URL. The URL is resolved as browsers do, and its path alone must
 * resolve to the same place: `/.//evil.example` has the path `//evil.example`, which names another host in a `Location`
 * header.
 */
export function returnPath(baseUrl: string, callbackUrl: unknown): string {
  if (typeof callbackUrl !== "string" || !isStorableTarget(callbackUrl) || !URL.canParse(callbackUrl, baseUrl))
    return "/";
  const [base, url] = [new URL(baseUrl), new URL(callbackUrl, baseUrl)];
  const isHere = url.protocol === base.protocol && url.host === base.host;
  return isHere && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
