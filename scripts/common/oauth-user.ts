import { createHash, randomBytes } from "node:crypto";

import { textsOf } from "./processes";

const CALLBACK = "http://localhost:9/callback";
/** Every scope that a client may request. */
export const SCOPES = ["svc.report.lite", "svc.report.pro", "svc.history.read", "svc.usage.read"] as const;

type Consent = { workspaceId: string; scopes: readonly string[] };

/** A minimal browser for signing in and consenting: cookies, and redirects within the service. */
export class OAuthUser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly base: string) {}

  /** The Cookie header. */
  cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  async open(
    url: string | URL,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = { Accept: "text/html", Cookie: this.cookie(), ...init.headers };
    const response = await fetch(new URL(url, this.base), { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    await response.arrayBuffer();
    return response;
  }

  /** Uses a link from `admin login-link`, like the button on its page. */
  async signIn(link: string): Promise<void> {
    const body = new URL(link).searchParams;
    const headers = { Origin: this.base };
    const response = await this.open("/api/auth/callback/email", { method: "POST", body, headers });
    if (![...this.cookies.keys()].some((name) => name.includes("session-token")))
      throw new Error(`Signing in failed with ${response.status}.`);
  }

  /** Follows an authorization URL, grants everything, and returns the client's callback URL. */
  async allow(authorizationUrl: string | URL, { workspaceId, scopes }: Consent): Promise<URL> {
    let response = await this.open(authorizationUrl);
    const consent = response.headers.get("location");
    if (!consent?.startsWith("/oauth/consent/"))
      throw new Error(`The service did not ask for consent: ${response.status}.`);
    const form = new URLSearchParams([
      ...scopes.map((scope) => ["scope", scope]),
      ["workspace", workspaceId],
      ["decision", "allow"],
    ]);
    response = await this.open(`${consent}/decide`, { method: "POST", body: form, headers: { Origin: this.base } });
    for (let step = 0; step < 6; step += 1) {
      const location = new URL(response.headers.get("location") ?? "", this.base);
      if (location.origin !== this.base) return location;
      response = await this.open(location);
    }
    throw new Error("The authorization did not end.");
  }
}

/** Registers a client with the redirect URI `redirectUri`; returns its id. */
export async function registerClient(base: string, { name = "Ledger agent", redirectUri = CALLBACK } = {}) {
  const response = await fetch(`${base}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: "none" }),
  });
  return textsOf(await response.json(), "client_id").client_id;
}

type Asked = { name?: string; redirectUri?: string; publicUrl?: string; scopes?: readonly string[] };

/**
 * Registers a client; returns the URL to send its user to for consent, and a function that exchanges the callback URL
 * for tokens. `publicUrl` is the service's public URL if `base` differs from it.
 */
export async function beginAuthorization(
  base: string,
  { name, redirectUri = CALLBACK, publicUrl = base, scopes = SCOPES }: Asked = {},
) {
  const clientId = await registerClient(base, { ...(name === undefined ? {} : { name }), redirectUri });
  const verifier = randomBytes(32).toString("base64url");
  const resource = `${publicUrl}/mcp`;
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource,
    scope: scopes.join(" "),
  });
  return {
    clientId,
    redirectUri,
    url: `${publicUrl}/oauth/authorize?${query.toString()}`,
    async exchange(callback: URL) {
      const body = new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        code: callback.searchParams.get("code") ?? "",
        code_verifier: verifier,
        redirect_uri: redirectUri,
        resource,
      });
      const response = await fetch(`${base}/oauth/token`, { method: "POST", body });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(`/oauth/token answered ${response.status}: ${JSON.stringify(answer)}`);
      const tokens = textsOf(answer, "access_token", "refresh_token");
      return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
    },
  };
}

/** Obtains an access token that the user grants to a new client. */
export async function accessToken(base: string, user: OAuthUser, { workspaceId, scopes }: Consent): Promise<string> {
  const authorization = await beginAuthorization(base, { redirectUri: "http://127.0.0.1:9/callback", scopes });
  const callback = await user.allow(authorization.url, { workspaceId, scopes });
  return (await authorization.exchange(callback)).accessToken;
}
