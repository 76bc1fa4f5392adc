import { isStorableTarget } from "@/lib/platform/storable";

/** How long somebody stays signed in. */
export const SESSION_DAYS = 30;

/** How long a sign-in link is valid, in seconds. */
export const LOGIN_LINK_SECONDS = 15 * 60;

type LoginLink = { baseUrl: string; token: string; email: string; callbackUrl: string };

/**
 * The address that people are given. It shows a page with a button: programs that look into mails follow
 * links, and the callback itself is used up by the first request.
 */
export const confirmUrl = ({ baseUrl, ...parameters }: LoginLink): string =>
  `${baseUrl}/sign-in/confirm?${new URLSearchParams(parameters).toString()}`;

/**
 * The path of this service that a person returns to; anything that leads elsewhere becomes the start page. The address
 * is resolved as a browser does, and the path must lead to the same place once it stands alone in a `Location`:
 * `/.//evil.example` has the path `//evil.example`, which names another host there.
 */
export function returnPath(baseUrl: string, callbackUrl: unknown): string {
  if (typeof callbackUrl !== "string" || !isStorableTarget(callbackUrl) || !URL.canParse(callbackUrl, baseUrl))
    return "/";
  const [base, url] = [new URL(baseUrl), new URL(callbackUrl, baseUrl)];
  const isHere = url.protocol === base.protocol && url.host === base.host;
  return isHere && !url.pathname.startsWith("//") ? url.pathname + url.search : "/";
}
