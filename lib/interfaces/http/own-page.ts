type Sent = {
  origin: string | null | undefined;
  host: string | null | undefined;
  /** `Sec-Fetch-Site`; older browsers do not send it. */
  fetchSite: string | null | undefined;
};

/**
 * Whether a request that uses or sets a cookie was sent by a page of this service. Browsers send the Origin with every
 * form post and server action; a request without one is treated as cross-site.
 *
 * @param baseUrl public URL of the service
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
