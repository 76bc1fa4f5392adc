const INTERNAL_ENDINGS = /\.(localhost|local|internal|lan|home|test|invalid|example|onion|arpa)$/;

/**
 * Whether a client id can be the URL of a metadata document: https on a public host name. The resolved address is
 * checked again on connection.
 */
export function isPublicDocumentUrl(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false;
  const { protocol, hostname, port, pathname } = new URL(clientId);
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const isNamed = hostname.includes(".") && !hostname.endsWith(".") && !INTERNAL_ENDINGS.test(hostname);
  return protocol === "https:" && port === "" && !isAddress && isNamed && pathname !== "/";
}
