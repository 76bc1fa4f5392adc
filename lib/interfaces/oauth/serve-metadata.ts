import { ERRORS, isAppError } from "@/lib/contract/errors";
import { runProvider } from "./bridge";
import { areDocumentsOffered } from "./client-documents";
import { SCOPES } from "./domain/scopes";
import { requireMcpOn } from "./read-policy";
import { resourceMetadata } from "./resource";

const JSON_FOR_ANY_PAGE = { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" };
const METADATA_HEADERS = { ...JSON_FOR_ANY_PAGE, "Cache-Control": "public, max-age=300" };
/**
 * Revalidated each time: it says whether client documents are supported at the moment, and a client that was refused
 * because of that asks again at once.
 */
const SERVER_METADATA_HEADERS = { ...JSON_FOR_ANY_PAGE, "Cache-Control": "no-cache" };

const DOCUMENTS = "client_id_metadata_document_supported";
type Metadata = Record<string, unknown> & { [DOCUMENTS]?: unknown };

/** Returns the answer, or the error envelope while the MCP server is off. */
async function whileOn(answer: () => Response | Promise<Response>): Promise<Response> {
  try {
    await requireMcpOn();
    return await answer();
  } catch (error) {
    if (!isAppError(error) || error.code !== "mcp_disabled") throw error;
    const { code, message } = error;
    return new Response(JSON.stringify({ error: { code, message } }), {
      status: ERRORS[code].status,
      headers: { ...JSON_FOR_ANY_PAGE, "Cache-Control": "no-store" },
    });
  }
}

/**
 * Serves the authorization server's metadata, identical at both of its well-known URLs.
 * Source: RFC 8414, section 3.
 */
export const serveMetadata = (request: Request): Promise<Response> =>
  whileOn(async () => {
    const target = "/.well-known/oauth-authorization-server";
    const answer = await runProvider({ request, target, cookie: undefined, body: undefined });
    const { client_id_metadata_document_supported: isAble, ...metadata } = (await answer.json()) as Metadata;
    const offered = isAble === true && (await areDocumentsOffered()) ? { [DOCUMENTS]: true } : {};
    // The library lists only its own scopes.
    const body = JSON.stringify({ ...metadata, scopes_supported: [...SCOPES, "offline_access"], ...offered });
    return new Response(body, { status: answer.status, headers: SERVER_METADATA_HEADERS });
  });

/** Serves the metadata of the protected resource. Source: RFC 9728, section 3. */
export const serveResourceMetadata = (): Promise<Response> =>
  whileOn(() => new Response(JSON.stringify(resourceMetadata()), { headers: METADATA_HEADERS }));

/** Answers a CORS preflight: metadata may be read from any origin, with any request header. */
export const serveMetadataPreflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "GET",
      "Access-Control-Allow-Headers": "*",
      "Access-Control-Max-Age": "86400",
    },
  });
