import { mountHandlers } from "@/lib/interfaces/http/api-table";
import { hasBrowserClients, pageHeaders, servePagePreflight } from "@/lib/interfaces/oauth";
import * as authorizationServer from "../.well-known/oauth-authorization-server/route";
import * as protectedResource from "../.well-known/oauth-protected-resource/route";
import { POST as answerMcp } from "../mcp/route";
import { GET as oauthGet, POST as oauthPost } from "../oauth/[...path]/route";
import { POST as decideConsent } from "../oauth/consent/[uid]/decide/route";

const readable = <T>({ GET, OPTIONS }: { GET: T; OPTIONS: () => Promise<Response> }) => ({ GET, HEAD: GET, OPTIONS });
const authorizationServerMetadata = readable(authorizationServer);
const resourceMetadata = readable(protectedResource);

const forPages = hasBrowserClients ? { OPTIONS: servePagePreflight } : {};
const mcp = { POST: answerMcp, ...forPages };

/** The protocols other than the API that the server entry serves before Next's router. */
export const MOUNTED = mountHandlers(
  {
    "/mcp": mcp,
    // Some clients append a slash to the address that they were given.
    "/mcp/": mcp,
    "/oauth/authorize": { GET: oauthGet, POST: oauthPost },
    "/oauth/authorize/{uid}": { GET: oauthGet },
    "/oauth/token": { POST: oauthPost, ...forPages },
    "/oauth/register": { POST: oauthPost, ...forPages },
    "/oauth/revoke": { POST: oauthPost, ...forPages },
    "/oauth/jwks": { GET: oauthGet, HEAD: oauthGet },
    "/oauth/consent/{uid}/decide": { POST: decideConsent },
    "/.well-known/oauth-authorization-server": authorizationServerMetadata,
    "/.well-known/openid-configuration": authorizationServerMetadata,
    "/.well-known/oauth-protected-resource": resourceMetadata,
    "/.well-known/oauth-protected-resource/mcp": resourceMetadata,
  },
  ({ headers }) => pageHeaders(headers.origin),
);
