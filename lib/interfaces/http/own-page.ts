type Sent = {
  origin: string | null | undefined;
  host: string | null | undefined;
  /** `Sec-Fetch-Site`, which older browsers do not send. */
  fetchSite: string | null | undefined;
};

/**
 * Whether a request that acts on behalf of a cookie, or gives one, was sent by a page of this service: browsers name
 * the origin of every form that they post and of every action. One that names none is taken for foreign.
 *
 * @param baseUrl address at which people reach the service
 */
export function isFromOwnPage({ origin, host, fetchSite }: Sent, baseUrl: string): boolean {
  if (!origin || !URL.canParse(origin) || fetchSite === "cross-site" || fetchSite === "same-site") return false;
  return origin === new URL(baseUrl).origin || new URL(origin).host === host;
}

/** `isFromOwnPage` for a web request's headers. */
export const isSentByOwnPage = (headers: Pick<Headers, "get">, baseUrl: string): boolean =>
  isFromOwnPage(
    { origin: headers.get("origin"), host: headers.get("host"), fetchSite: headers.get("sec-fetch-site") },
    baseUrl,
  );
