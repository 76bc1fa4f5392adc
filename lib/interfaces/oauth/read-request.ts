import { AppError } from "@/lib/contract/errors";
import { database } from "@/db/client";
import { withExchange } from "./bridge";
import { isVouchedFor, withRedirect } from "./client-documents";
import { consentPath } from "./configuration";
import { shownName } from "./domain/client-name";
import { isLoopback, redirectObstacle, redirectTarget } from "./domain/registration";
import { ruleObstacle } from "./domain/redirect-rules";
import { knownScopes, type Scope } from "./domain/scopes";
import { currentPolicy } from "./read-policy";

/** An authorization request pending in this browser. */
export type PendingRequest = {
  clientId: string;
  clientName: string;
  /** Host that serves the client's metadata document; undefined for a client that registered itself. */
  verifiedHost: string | undefined;
  redirectUri: string;
  /** The redirect address in a form for display. */
  redirectTarget: string;
  /** Whether the code is sent to a program on the person's own machine. */
  isLocal: boolean;
  scopes: Scope[];
  wantsOfflineAccess: boolean;
  /** Where the browser continues after the decision. */
  returnTo: string;
  /** Whether it is decided already, while the browser has not continued yet. */
  isDecided: boolean;
};

export const expired = (cause?: unknown) =>
  new AppError("not_found", { message: "This request has expired, or it was started in another browser", cause });

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Reads the browser's pending request.
 *
 * @param cookie the browser's `Cookie` header
 * @throws AppError `not_found`, `forbidden` for a redirect address that the operator's rules refuse
 */
export function readRequest(uid: string, cookie: string): Promise<PendingRequest> {
  return withExchange({ path: consentPath(uid), cookie }, async (provider, req, res) => {
    const interaction = await provider.interactionDetails(req, res).catch((error: unknown) => {
      if (error instanceof Error && error.name === "SessionNotFound") throw expired(error);
      throw error;
    });
    if (interaction.uid !== uid) throw expired();
    const { params } = interaction;
    const redirectUri = text(params["redirect_uri"]);
    const client = await withRedirect(redirectUri, () => provider.Client.find(text(params["client_id"])));
    if (!client) throw expired();
    // Checked again, because the rules may have changed since registration, and clients with a metadata document never
    // register.
    const obstacle =
      redirectObstacle([redirectUri]) ?? ruleObstacle((await currentPolicy()).redirectRules, [redirectUri]);
    if (obstacle !== undefined) throw new AppError("forbidden", { message: obstacle });
    const isKnown = "clientIdMetadataDocument" in client && (await isVouchedFor(database(), client.clientId));
    return {
      clientId: client.clientId,
      clientName: shownName(client.clientName),
      verifiedHost: isKnown ? new URL(client.clientId).host : undefined,
      redirectUri,
      redirectTarget: redirectTarget(redirectUri),
      isLocal: URL.canParse(redirectUri) && isLoopback(new URL(redirectUri)),
      scopes: knownScopes(text(params["scope"])),
      wantsOfflineAccess: text(params["scope"]).split(" ").includes("offline_access"),
      returnTo: interaction.returnTo,
      isDecided: interaction.result !== undefined,
    };
  });
}
