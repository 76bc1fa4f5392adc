export { authenticateToken, type TokenPrincipal } from "./authenticate-token";
export { covers, type Scope, SCOPES, scopeTitles } from "./domain/scopes";
export { listClients } from "./list-clients";
export { purgeEndedOauth } from "./purge-ended";
export { type Consent, readConsent } from "./read-consent";
export { mcpResource, resourceMetadata, resourceMetadataUrl } from "./resource";
export { revokeAllClients, revokeClient } from "./revoke-client";
export { serveDecision } from "./serve-decision";
export { metadataResponse, serveMetadata, serveMetadataPreflight, serveOauth } from "./serve-oauth";
