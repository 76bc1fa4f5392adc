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

/** The path of this service that a person returns to; anything that leads elsewhere becomes the start page. */
export function returnPath(baseUrl: string, callbackUrl: string | null | undefined): string {
  if (!callbackUrl || !URL.canParse(callbackUrl, baseUrl)) return "/";
  const url = new URL(callbackUrl, baseUrl);
  return url.origin === new URL(baseUrl).origin ? url.pathname + url.search : "/";
}
