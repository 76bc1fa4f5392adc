import { createHash, randomBytes } from "node:crypto";

/** A browser as far as signing in and consenting need one: cookies, and redirects within the service. */
export class Person {
  cookies = new Map();

  constructor(base) {
    this.base = base;
  }

  async open(url, init = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Accept: "text/html", Cookie: cookie, ...init.headers };
    const response = await fetch(new URL(url, this.base), { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(";");
      const at = pair.indexOf("=");
      if (pair.slice(at + 1) === "") this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    await response.arrayBuffer();
    return response;
  }

  /** Uses a link of `admin login-link`, as the button of its page does. */
  async signIn(link) {
    const { searchParams } = new URL(link);
    const response = await this.open("/api/auth/callback/email", {
      method: "POST",
      body: searchParams,
      headers: { Origin: this.base },
    });
    if (![...this.cookies.keys()].some((name) => name.includes("session-token")))
      throw new Error(`signing in failed with ${response.status}`);
  }

  /** Follows an authorization address, allows everything, and returns where the client is answered. */
  async allow(authorizationUrl, { workspaceId, scopes }) {
    let response = await this.open(authorizationUrl);
    const consent = response.headers.get("location");
    if (!consent?.startsWith("/oauth/consent/")) throw new Error(`not asked for consent: ${response.status}`);
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
    throw new Error("the authorization did not end");
  }
}

/** Registers a client that is answered at `redirectUri`; its id. */
export async function register(base, redirectUri) {
  const response = await fetch(`${base}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "Conformance suite", redirect_uris: [redirectUri] }),
  });
  return (await response.json()).client_id;
}

/** An access token that the person gives to a client of this run. */
export async function accessToken(base, person, { workspaceId, scopes }) {
  const redirectUri = "http://127.0.0.1:9/callback";
  const clientId = await register(base, redirectUri);
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${base}/mcp`,
    scope: scopes.join(" "),
  });
  const callback = await person.allow(`/oauth/authorize?${query}`, { workspaceId, scopes });
  const response = await fetch(`${base}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: clientId,
      code: callback.searchParams.get("code") ?? "",
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  });
  return (await response.json()).access_token;
}
