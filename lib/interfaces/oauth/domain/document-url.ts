const INTERNAL_ENDINGS = /\.(localhost|local|internal|lan|home|test|invalid|example|onion|arpa)$/;

/**
 * Whether a client id may name a metadata document that is worth fetching: an https address on a public name.
 * The connection is checked once more against the address that the name resolves to.
 */
export function isPublicDocumentUrl(clientId: string): boolean {
  if (!URL.canParse(clientId)) return false;
  const { protocol, hostname, port, pathname } = new URL(clientId);
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const isNamed = hostname.includes(".") && !hostname.endsWith(".") && !INTERNAL_ENDINGS.test(hostname);
  return protocol === "https:" && port === "" && !isAddress && isNamed && pathname !== "/";
}
