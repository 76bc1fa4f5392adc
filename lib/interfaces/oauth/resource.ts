import { baseUrl } from "@/lib/platform/env";
import { SCOPES } from "./domain/scopes";

/** The one resource that tokens are for. */
export const mcpResource = (): string => `${baseUrl()}/mcp`;

/** Where a client finds the authorization server of the resource. */
export const resourceMetadataUrl = (): string => `${baseUrl()}/.well-known/oauth-protected-resource/mcp`;

/**
 * Metadata of the resource. Lists the scopes of the first challenge: clients of the older protocol cannot request more
 * later.
 * Source: RFC 9728, section 2.
 */
export const resourceMetadata = () => ({
  resource: mcpResource(),
  authorization_servers: [baseUrl()],
  scopes_supported: SCOPES,
  bearer_methods_supported: ["header"],
  resource_name: "Imprint",
  resource_documentation: `${baseUrl()}/docs/mcp`,
});
