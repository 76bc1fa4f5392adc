import { mountHandlers } from "@/lib/interfaces/http/api-table";
import * as authorizationServer from "../.well-known/oauth-authorization-server/route";
import * as protectedResource from "../.well-known/oauth-protected-resource/route";
import { POST as answerMcp } from "../mcp/route";
import { GET as oauthGet, POST as oauthPost } from "../oauth/[...path]/route";
import { POST as decideConsent } from "../oauth/consent/[uid]/decide/route";

const authorizationServerMetadata = { GET: authorizationServer.GET, OPTIONS: authorizationServer.OPTIONS };
const resourceMetadata = { GET: protectedResource.GET, OPTIONS: protectedResource.OPTIONS };

/** The protocols other than the API that the server entry serves ahead of Next's router. */
export const MOUNTED = mountHandlers({
  "/mcp": { POST: answerMcp },
  "/oauth/authorize": { GET: oauthGet, POST: oauthPost },
  "/oauth/authorize/{uid}": { GET: oauthGet },
  "/oauth/token": { POST: oauthPost },
  "/oauth/register": { POST: oauthPost },
  "/oauth/revoke": { POST: oauthPost },
  "/oauth/jwks": { GET: oauthGet },
  "/oauth/consent/{uid}/decide": { POST: decideConsent },
  "/.well-known/oauth-authorization-server": authorizationServerMetadata,
  "/.well-known/openid-configuration": authorizationServerMetadata,
  "/.well-known/oauth-protected-resource": resourceMetadata,
  "/.well-known/oauth-protected-resource/mcp": resourceMetadata,
});
