export { retryClientDocuments } from "./retry-documents";
export { authenticateToken, isStillConnected, type TokenPrincipal } from "./authenticate-token";
export {
  hasBrowserClients,
  isFromAllowedPage,
  pageHeaders,
  servePagePreflight,
  shareWithPage,
} from "./browser-clients";
export { covers, type Scope, SCOPES, scopeTitles } from "./domain/scopes";
export { deleteToolCallsOlderThan } from "./queries-calls";
export { TOOL_CALL_DAYS, type ToolCallFilter } from "./domain/tool-call-filter";
export { listClients } from "./list-clients";
export { listToolCalls } from "./list-tool-calls";
export { flushToolCalls, recordToolCall } from "./record-tool-call";
export { purgeEndedOauth } from "./purge-ended";
export { type Consent, readConsent } from "./read-consent";
export { isMcpOn, requireMcpOn } from "./read-policy";
export { mcpResource, resourceMetadataUrl } from "./resource";
export { revokeAllClients, revokeClient } from "./revoke-client";
export { serveDecision } from "./serve-decision";
export { serveMetadata, serveMetadataPreflight, serveResourceMetadata } from "./serve-metadata";
export { serveOauth } from "./serve-oauth";
export { readMcpPolicy, setRedirectRules, switchMcp } from "./set-policy";
