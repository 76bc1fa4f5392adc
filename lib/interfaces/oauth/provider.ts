import type Provider from "oidc-provider";

import { isDatabaseUnavailable } from "@/db/client";
import { baseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { createAdapter, recordHash } from "./adapter";
import { configuration } from "./configuration";
import type { Fetch } from "./fetch-document";
import { keepErrorsOfStrangers } from "./keep-errors";
import { ensureUrlParse } from "./url-parse";

/** The library writes what it refuses as events; only failures of ours are more than noise. */
function reportFailures(provider: Provider): void {
  provider.on("server_error", (context, error) => {
    if (isDatabaseUnavailable(error)) {
      context.status = 503;
      context.set("Retry-After", "1");
    }
    log.error({ err: error, route: context.oidc.route }, "the authorization server failed");
  });
  const onRefusal = (context: { oidc: { route: string } }, error: Error) => {
    log.debug({ err: error, route: context.oidc.route }, "the authorization server refused a request");
  };
  provider.on("authorization.error", onRefusal);
  provider.on("grant.error", onRefusal);
  provider.on("registration_create.error", onRefusal);
  provider.on("revocation.error", onRefusal);
}

/** Secrets of clients are stored as hashes, so what is presented is hashed before it is compared. */
function compareHashedSecrets(provider: Provider): void {
  const prototype = provider.Client.prototype as { compareClientSecret: (this: object, presented: string) => boolean };
  const compare = prototype.compareClientSecret;
  prototype.compareClientSecret = function compareHashed(presented) {
    return compare.call(this, recordHash(presented));
  };
}

/** A provider of its own; `fetch` stands in for the network in tests. */
export async function createProvider(options: { fetch?: Fetch } = {}): Promise<Provider> {
  ensureUrlParse();
  // Node makes its HTTP client with the first fetch; the library copies its kind to refuse internal addresses.
  await fetch("data:,");
  const { default: LoadedProvider, errors, interactionPolicy } = await import("oidc-provider");
  const policy = interactionPolicy.base();
  // Signing in to the product is the only session, so each request is shown to the person.
  const isUndecided = new interactionPolicy.Check(
    "always_shown",
    "consent is always asked for",
    "interaction_required",
    ({ oidc }) => oidc.result?.consent === undefined,
  );
  policy.get("consent")?.checks.add(isUndecided);
  const refuseUsed = () => new errors.InvalidGrant("already used");
  const provider = new LoadedProvider(
    baseUrl(),
    configuration({
      adapter: (model) => createAdapter(model, refuseUsed),
      policy,
      InvalidTarget: errors.InvalidTarget,
      fetch: options.fetch,
    }),
  );
  // The public address is given with each request by `serveOauth`, never by the client.
  provider.proxy = true;
  compareHashedSecrets(provider);
  keepErrorsOfStrangers(provider);
  reportFailures(provider);
  return provider;
}

let ready: Promise<Provider> | undefined;

/** The authorization server of this module graph, made when it is first needed. */
export function oauthProvider(): Promise<Provider> {
  ready ??= createProvider().catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

/** Puts a provider in place of the usual one; without one, the next caller makes the usual one anew. */
export function setProvider(provider: Provider | undefined): void {
  ready = provider && Promise.resolve(provider);
}
