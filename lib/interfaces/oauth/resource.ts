import { baseUrl } from "@/lib/platform/env";
import { SCOPES } from "./domain/scopes";

/** The only resource that tokens are issued for. */
export const mcpResource = (): string => `${baseUrl()}/mcp`;

/** URL of the resource metadata, which names the authorization server. */
export const resourceMetadataUrl = (): string => `${baseUrl()}/.well-known/oauth-protected-resource/mcp`;

/**
 * Metadata of the resource. It lists the scopes of the first challenge, because clients of the older protocol cannot
 * request more later.
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
