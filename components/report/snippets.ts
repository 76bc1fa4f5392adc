/** The request that reads one Report. */
export const curlCommand = (baseUrl: string, imprint: string): string =>
  `curl ${baseUrl}/api/v1/fingerprint/report/${imprint} -H "X-API-Key: $IMPRINT_KEY"`;
