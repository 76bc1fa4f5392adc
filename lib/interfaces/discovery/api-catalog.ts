import { baseUrl } from "@/lib/platform/env";

type Target = { href: string; type?: string };
type LinkContext = { anchor: string } & Partial<
  Record<"item" | "service-desc" | "service-doc" | "service-meta" | "status", Target[]>
>;

/** Source: RFC 9727, section 4. */
export const API_CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Links to every description of this service. Source: RFC 9727 and RFC 9264. */
export function composeApiCatalog(isMcpOn: boolean): { linkset: LinkContext[] } {
  const at = (path: string, type?: string): Target => ({
    href: `${baseUrl()}${path}`,
    ...(type === undefined ? {} : { type }),
  });
  return {
    linkset: [
      {
        anchor: at("/.well-known/api-catalog").href,
        item: [at("/api/v1/agent/products"), ...(isMcpOn ? [at("/mcp")] : [])],
      },
      {
        // The API's entry point: its common path prefix answers nothing itself.
        anchor: at("/api/v1/agent/products").href,
        "service-desc": [at("/openapi.json", "application/vnd.oai.openapi+json;version=3.1")],
        "service-doc": [
          at("/docs/api", "text/html"),
          at("/docs/agent-trial", "text/html"),
          at("/docs/api.md", "text/markdown"),
          at("/docs/agent-trial.md", "text/markdown"),
          at("/llms.txt", "text/plain"),
          at("/SKILL.md", "text/markdown"),
        ],
        status: [at("/readyz")],
      },
      ...(isMcpOn
        ? [
            {
              anchor: at("/mcp").href,
              "service-meta": [at("/.well-known/oauth-protected-resource/mcp", "application/json")],
            },
          ]
        : []),
    ],
  };
}
