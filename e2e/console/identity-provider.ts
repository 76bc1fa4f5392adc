import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import Provider from "oidc-provider";

/** The person whom the provider reports as signed in. */
type Person = { sub: string; email: string; isVerified: boolean };

export type IdentityProvider = {
  /** Issuer of the OpenID Connect provider. */
  issuer: string;
  /** Base URL of a fake GitHub Enterprise Server. */
  gitHubUrl: string;
  clientId: string;
  clientSecret: string;
  /** To be called once the service's own URL is known. */
  register: (serviceUrl: string) => void;
  /** Sets the person of the next sign-in. */
  become: (person: Person) => void;
  /** From now on, accepts requests but does not respond. */
  fallSilent: () => void;
  close: () => Promise<void>;
};

const CLIENT = { clientId: "imprint", clientSecret: "a-secret-of-the-client-that-is-long-enough" };

/** Named explicitly, so that the library does not warn about defaults. */
const LIFETIMES = ["AccessToken", "AuthorizationCode", "Grant", "IdToken", "Interaction", "Session"];

/** A certified OpenID Connect provider without prompts: everybody is the person named by the test. */
function openIdProvider(issuer: string, serviceUrl: string, person: () => Person): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: ["oidc", "google"].map((id) => `${serviceUrl}/api/auth/callback/${id}`),
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a-key-of-the-cookies"] },
    ttl: Object.fromEntries(LIFETIMES.map((name) => [name, 600])),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: "Somebody", email: person().email, email_verified: person().isVerified }),
    }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? "",
        accountId: ctx.oidc.session?.accountId ?? "",
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  return provider;
}

const sendJson = (res: ServerResponse, body: unknown) => {
  res.writeHead(200, { "Content-Type": "application/json" });
  res.end(JSON.stringify(body));
};

/** The four GitHub endpoints used for sign-in; the public profile shows an email address that is not the person's. */
function answerAsGitHub(url: URL, res: ServerResponse, { sub, email, isVerified }: Person): void {
  switch (url.pathname) {
    case "/github/login/oauth/authorize": {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", "code");
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      res.writeHead(302, { Location: back.href });
      res.end();
      return;
    }
    case "/github/login/oauth/access_token":
      sendJson(res, { access_token: "token-of-github", token_type: "bearer", scope: "user:email" });
      return;
    case "/github/api/v3/user":
      sendJson(res, { id: Number(sub), login: "somebody", name: null, email: "public@example.com" });
      return;
    default:
      sendJson(res, [
        { email: "other@example.com", primary: false, verified: true },
        { email, primary: true, verified: isVerified },
      ]);
  }
}

/** Starts identity providers on this machine. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  let person: Person = { sub: "1", email: "", isVerified: false };
  let provider: Provider | undefined;
  let isSilent = false;
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    if (isSilent) return;
    const url = new URL(req.url ?? "/", "http://localhost");
    if (url.pathname.startsWith("/github/")) answerAsGitHub(url, res, person);
    else if (url.pathname.startsWith("/interaction/"))
      await provider?.interactionFinished(req, res, { login: { accountId: person.sub } });
    else await provider?.callback()(req, res);
  };
  const server = createServer((req, res) => void answer(req, res));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    ...CLIENT,
    issuer,
    gitHubUrl: `${issuer}/github`,
    register(serviceUrl) {
      provider = openIdProvider(issuer, serviceUrl, () => person);
    },
    become(next) {
      person = next;
    },
    fallSilent() {
      isSilent = true;
    },
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => {
          done();
        });
      }),
  };
}
