import { isSystemScheme } from "./schemes";

/** The supported fields of a registration. Others are dropped, because some clients send unsupported values. */
const KEPT = [
  "redirect_uris",
  "client_name",
  "client_uri",
  "logo_uri",
  "policy_uri",
  "tos_uri",
  "contacts",
  "grant_types",
  "response_types",
  "token_endpoint_auth_method",
  "application_type",
  "software_id",
  "software_version",
] as const;

const GRANT_TYPES = ["authorization_code", "refresh_token"];
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const MAX_REDIRECTS = 20;

type Fields = Record<string, unknown>;

const isEmpty = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const only = (values: unknown, allowed: readonly string[]) =>
  Array.isArray(values) ? values.filter((value) => allowed.includes(String(value))) : undefined;

const parseUri = (value: unknown): URL | undefined =>
  typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;

export const isLoopback = (url: URL): boolean => url.protocol === "http:" && LOOPBACK.test(url.hostname);

const isHttps = (url: URL) => url.protocol === "https:";

/** Why the redirect addresses are refused; undefined if they are allowed. */
export function redirectObstacle(uris: unknown): string | undefined {
  if (!Array.isArray(uris) || uris.length === 0) return "redirect_uris must name at least one address";
  if (uris.length > MAX_REDIRECTS) return `redirect_uris may name at most ${MAX_REDIRECTS} addresses`;
  for (const uri of uris) {
    const url = parseUri(uri);
    if (!url) return "redirect_uris must be absolute addresses";
    if (isSystemScheme(url.protocol))
      return "redirect_uris must not use a scheme that browsers or operating systems handle themselves";
    if (url.protocol === "http:" && !isLoopback(url)) return "redirect_uris must use https, or http on this machine";
    if (url.username !== "" || url.password !== "" || url.href.includes("#")) {
      return "redirect_uris must not contain credentials or a fragment";
    }
  }
  return undefined;
}

/**
 * Normalises a registration: real clients send empty or null fields, and grant types of other flows. Without
 * `application_type`, a client with a loopback address or a custom scheme is treated as native, since the protocol's
 * default would refuse it. `scope` is dropped: clients register with the scopes of the first challenge and could not
 * request more later.
 */
export function normaliseRegistration(sent: Fields): Fields {
  const kept = Object.fromEntries(
    KEPT.map((name) => [name, sent[name]] as const).filter(([, value]) => !isEmpty(value)),
  );
  const redirects = Array.isArray(kept["redirect_uris"]) ? kept["redirect_uris"].map(parseUri) : [];
  const isNative = redirects.some((url) => url !== undefined && !isHttps(url));
  const grantTypes = only(kept["grant_types"], GRANT_TYPES);
  const responseTypes = only(kept["response_types"], ["code"]);
  return {
    // The protocol's default is a client secret, which clients that specify no method do not expect.
    token_endpoint_auth_method: "none",
    ...kept,
    ...(grantTypes && { grant_types: grantTypes.length > 0 ? grantTypes : GRANT_TYPES }),
    ...(responseTypes && { response_types: ["code"] }),
    ...(isNative && { application_type: "native" }),
  };
}

/** Fields of a metadata document that the library checks itself: it refuses documents with a secret. */
const DOCUMENT_FIELDS = ["client_id", "client_secret", "client_secret_expires_at"];

/**
 * Normalises a client's metadata document like a registration. An invalid document, or one with a refused redirect
 * address, becomes one that the library refuses.
 */
export function normaliseDocument(text: string): string {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return "null";
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) return "null";
  const sent = document as Fields;
  if (redirectObstacle(sent["redirect_uris"]) !== undefined) return "null";
  const own = DOCUMENT_FIELDS.filter((name) => name in sent).map((name) => [name, sent[name]] as const);
  return JSON.stringify({ ...normaliseRegistration(sent), ...Object.fromEntries(own) });
}

const MAX_ASSUMED_REDIRECTS = 10;

/**
 * The document assumed for a client whose metadata document cannot be reached and that redirects to the person's own
 * machine. It claims no more than the client could by registering. Undefined for any other redirect.
 *
 * @param known the previously assumed document
 */
export function assumeDocument(clientId: string, redirectUri: string, known: string | undefined): string | undefined {
  const redirect = parseUri(redirectUri);
  if (!redirect || !isLoopback(redirect) || redirectObstacle([redirectUri]) !== undefined) return undefined;
  const { redirect_uris: before = [] } = (known === undefined ? {} : JSON.parse(known)) as { redirect_uris?: string[] };
  return JSON.stringify({
    client_id: clientId,
    client_name: new URL(clientId).host,
    redirect_uris: [...new Set([redirectUri, ...before])].slice(0, MAX_ASSUMED_REDIRECTS),
    grant_types: GRANT_TYPES,
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  });
}

/** A redirect address for display: the host, or the application's scheme. */
export function redirectTarget(redirectUri: string): string {
  const url = parseUri(redirectUri);
  if (!url) return redirectUri;
  return url.protocol === "https:" || url.protocol === "http:" ? url.host : `${url.protocol}//${url.host}`;
}
