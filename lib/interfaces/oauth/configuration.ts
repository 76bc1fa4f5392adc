import type { Client, Configuration, errors, KoaContextWithOIDC } from "oidc-provider";

import { database } from "@/db/client";
import { now } from "@/lib/platform/clock";
import { baseUrl, env } from "@/lib/platform/env";
import { isGrantLive } from "./authenticate-token";
import { keepingDocuments } from "./client-documents";
import { isPublicDocumentUrl } from "./domain/document-url";
import { normaliseResource } from "./domain/resource";
import { SCOPES } from "./domain/scopes";
import { fetchDocument, type Fetch } from "./fetch-document";
import { cookieKeys, signingKeys } from "./keys";
import { GRANT_DAYS } from "./queries";
import { mcpResource } from "./resource";
import { showRefusal } from "./show-refusal";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REFRESH_DAYS = 30;

/** Long enough to sign in by email. */
const INTERACTION_SECONDS = HOUR;

const AUTH_METHODS: NonNullable<Configuration["clientAuthMethods"]> = [
  "none",
  "client_secret_basic",
  "client_secret_post",
];

/** The path of the consent page. */
export const consentPath = (uid: string): string => `/oauth/consent/${uid}`;

/** Sliding lifetime, but never beyond the end of the grant. */
function refreshTokenSeconds({ oidc }: KoaContextWithOIDC): number {
  const { Grant: grant } = oidc.entities;
  const remaining = grant?.exp === undefined ? GRANT_DAYS * DAY : grant.exp - Math.floor(now().getTime() / 1000);
  return Math.max(1, Math.min(REFRESH_DAYS * DAY, remaining));
}

const resourceIndicators = (InvalidTarget: typeof errors.InvalidTarget) => ({
  enabled: true,
  defaultResource: () => mcpResource(),
  useGrantedResource: () => true,
  getResourceServerInfo(_context: KoaContextWithOIDC, resource: string) {
    if (normaliseResource(resource) !== mcpResource()) throw new InvalidTarget();
    return {
      scope: SCOPES.join(" "),
      audience: mcpResource(),
      accessTokenFormat: "opaque" as const,
      accessTokenTTL: HOUR,
    };
  },
});

const features = (InvalidTarget: typeof errors.InvalidTarget): Configuration["features"] => ({
  devInteractions: { enabled: false },
  userinfo: { enabled: false },
  pushedAuthorizationRequests: { enabled: false },
  dPoP: { enabled: false },
  claimsParameter: { enabled: false },
  // The library's own session is not used: each request starts without one (see `serveOauth`).
  rpInitiatedLogout: { enabled: false },
  registration: { enabled: true, issueRegistrationAccessToken: false },
  revocation: { enabled: true, allowedPolicy: (_context, client, token) => token.clientId === client.clientId },
  clientIdMetadataDocument: {
    enabled: env.MCP_CLIENT_DOCUMENTS !== "off",
    ack: "draft-02",
    allowFetch: (_context, clientId) => isPublicDocumentUrl(clientId),
  },
  resourceIndicators: resourceIndicators(InvalidTarget),
});

type Parts = {
  adapter: NonNullable<Configuration["adapter"]>;
  policy: NonNullable<NonNullable<Configuration["interactions"]>["policy"]>;
  InvalidTarget: typeof errors.InvalidTarget;
  fetch?: Fetch | undefined;
};

/** The library's configuration; tests replace `fetch`. */
export const configuration = ({ adapter, policy, InvalidTarget, fetch = fetchDocument }: Parts): Configuration => ({
  adapter,
  jwks: signingKeys(),
  clientDefaults: {
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    id_token_signed_response_alg: "ES256",
  },
  clientAuthMethods: AUTH_METHODS,
  enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
  responseTypes: ["code"],
  scopes: ["offline_access"],
  pkce: { required: () => true },
  routes: {
    authorization: "/oauth/authorize",
    token: "/oauth/token",
    registration: "/oauth/register",
    revocation: "/oauth/revoke",
    jwks: "/oauth/jwks",
  },
  features: features(InvalidTarget),
  interactions: { policy, url: (_context, { uid }) => consentPath(uid) },
  issueRefreshToken: (_context, client: Client) => client.grantTypeAllowed("refresh_token"),
  expiresWithSession: () => false,
  rotateRefreshToken: true,
  revokeGrantPolicy: () => true,
  ttl: {
    AccessToken: HOUR,
    AuthorizationCode: MINUTE,
    Interaction: INTERACTION_SECONDS,
    Session: INTERACTION_SECONDS,
    Grant: GRANT_DAYS * DAY,
    RefreshToken: refreshTokenSeconds,
    IdToken: 5 * MINUTE,
  },
  cookies: {
    keys: cookieKeys(),
    names: { session: "oauth_session", interaction: "oauth_interaction", resume: "oauth_resume" },
    long: { httpOnly: true, sameSite: "lax" },
    short: { httpOnly: true, sameSite: "lax" },
  },
  // Former members and revoked grants get no new tokens.
  async findAccount(_context, accountId, token) {
    const grantId = token && "grantId" in token ? token.grantId : undefined;
    if (grantId !== undefined && !(await isGrantLive(database(), grantId))) return undefined;
    return { accountId, claims: () => ({ sub: accountId }) };
  },
  fetch: keepingDocuments(fetch),
  clientBasedCORS: () => false,
  discovery: {
    service_documentation: `${baseUrl()}/docs/mcp`,
    // An omitted list would mean client_secret_basic only. Source: RFC 8414, section 2.
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  },
  renderError: (context, _out, error) => showRefusal(context, error),
});
