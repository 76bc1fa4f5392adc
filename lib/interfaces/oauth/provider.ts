import type Provider from "oidc-provider";

import { isDatabaseUnavailable } from "@/db/client";
import { baseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { createAdapter, recordHash } from "./adapter";
import { configuration } from "./configuration";
import type { Fetch } from "./fetch-document";
import { postponeWhileUnreachable, showErrorsOfUnapprovedClients } from "./keep-errors";
import { ensureUrlParse } from "./url-parse";

/** Logs the library's errors. It also emits events for refusals; only failures of the service are logged as errors. */
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

/** Client secrets are stored as hashes, so the presented secret is hashed before the comparison. */
function compareHashedSecrets(provider: Provider): void {
  const prototype = provider.Client.prototype as { compareClientSecret: (this: object, presented: string) => boolean };
  const compare = prototype.compareClientSecret;
  prototype.compareClientSecret = function compareHashed(presented) {
    return compare.call(this, recordHash(presented));
  };
}

/** Creates a separate provider; tests replace `fetch`. */
export async function createProvider(options: { fetch?: Fetch } = {}): Promise<Provider> {
  ensureUrlParse();
  // Node creates its HTTP client on the first fetch. The library derives its own from it, which refuses internal
  // addresses.
  await fetch("data:,");
  const { default: LoadedProvider, errors, interactionPolicy } = await import("oidc-provider");
  const policy = interactionPolicy.base();
  // Product sign-in is the only session, so every request is shown to the person.
  const isUndecided = new interactionPolicy.Check(
    "always_shown",
    "consent is always requested",
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
  // `serveOauth` sets the public address on each request; the client cannot.
  provider.proxy = true;
  compareHashedSecrets(provider);
  showErrorsOfUnapprovedClients(provider);
  postponeWhileUnreachable(provider);
  reportFailures(provider);
  return provider;
}

let ready: Promise<Provider> | undefined;

/** The authorization server of this module graph, created on first use. */
export function oauthProvider(): Promise<Provider> {
  ready ??= createProvider().catch((error: unknown) => {
    ready = undefined;
    throw error;
  });
  return ready;
}

/** Replaces the provider; undefined resets it. */
export function setProvider(provider: Provider | undefined): void {
  ready = provider && Promise.resolve(provider);
}
