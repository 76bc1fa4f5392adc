import { createHash, randomBytes } from "node:crypto";

import { MOUNTED } from "@/app/api/mounted";
import type { Database } from "@/db/client";
import { handleApiRequest } from "@/lib/interfaces/http/api-table";
import { newId } from "@/lib/contract/ids";
import { createAuthAdapter, sessionCookie } from "@/lib/tenancy/sign-in";
import { addMember, type Role } from "@/lib/tenancy/workspaces";
import { operatorContext } from "@/test/workspaces";
import { SCOPES } from "@/lib/interfaces/oauth/index";

export const BASE = "http://localhost:3000";
export const CALLBACK = "http://localhost:9999/callback";

type Send = {
  method?: string;
  headers?: Record<string, string>;
  body?: string | URLSearchParams | ReadableStream;
  address?: string;
};

/** Sends one request through the server's route table, without a socket. */
export function send(url: string, { method = "GET", headers = {}, body, address }: Send = {}): Promise<Response> {
  const streamed = body instanceof ReadableStream ? { duplex: "half" } : {};
  const request = new Request(new URL(url, BASE), {
    method,
    headers,
    redirect: "manual",
    ...(body === undefined ? {} : { body }),
    ...streamed,
  });
  return handleApiRequest(MOUNTED, request, {
    requestId: newId("request"),
    ...(address === undefined ? {} : { address }),
  });
}

export const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  send(path, { method: "POST", body: new URLSearchParams(form), headers });

export const jsonOf = async (response: Response) => (await response.json()) as Record<string, unknown>;

/** Creates a person with a role in a workspace; returns a session cookie. */
export async function createPerson(db: Database, workspaceId: string, role: Role = "owner") {
  const email = `${newId("user")}@example.com`;
  const { userId } = await addMember(operatorContext(db), { workspaceId, email, role });
  const sessionToken = randomBytes(16).toString("hex");
  const expires = new Date(performance.timeOrigin + performance.now() + 3_600_000);
  await createAuthAdapter(db).createSession?.({ sessionToken, userId, expires });
  return { userId, email, cookie: `${sessionCookie()}=${sessionToken}` };
}

export async function register(fields: Record<string, unknown> = {}): Promise<string> {
  const response = await send("/oauth/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Test client", redirect_uris: [CALLBACK], ...fields }),
  });
  return String((await jsonOf(response))["client_id"]);
}

type Cookie = { value: string; path: string };

/** A minimal browser for this protocol: cookies by path, redirects, and the consent form. */
export class ScriptedBrowser {
  readonly #cookies = new Map<string, Cookie>();

  constructor(readonly sessionCookie: string) {}

  /** The cookies sent to a path. */
  cookieFor(pathname: string): string {
    const own = [...this.#cookies].flatMap(([name, { value, path }]) =>
      pathname.startsWith(path) ? [`${name}=${value}`] : [],
    );
    return [this.sessionCookie, ...own].filter((part) => part !== "").join("; ");
  }

  async open(url: string, init: Send = {}): Promise<Response> {
    const { pathname } = new URL(url, BASE);
    const response = await send(url, {
      ...init,
      headers: { accept: "text/html", cookie: this.cookieFor(pathname), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(/;\s*/);
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? "/";
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, { value, path });
    }
    return response;
  }

  /** Opens an authorization URL up to the consent page; returns that page's path. */
  async start(authorizationUrl: string): Promise<string> {
    const response = await this.open(authorizationUrl);
    const location = response.headers.get("location");
    if (location === null) throw new Error(`not redirected: ${response.status} ${await response.text()}`);
    return location;
  }

  /** Posts the consent form. */
  decide(consentPath: string, form: readonly [string, string][]): Promise<Response> {
    return this.open(`${consentPath}/decide`, {
      method: "POST",
      headers: { origin: BASE },
      body: new URLSearchParams([...form]),
    });
  }

  /** Follows redirects within the service; returns the first URL outside it. */
  async follow(response: Response): Promise<URL> {
    let at = response;
    for (let step = 0; step < 8; step += 1) {
      const location = at.headers.get("location");
      if (location === null) throw new Error(`not redirected: ${at.status} ${await at.text()}`);
      const url = new URL(location, BASE);
      if (url.origin !== BASE) return url;
      at = await this.open(url.href);
    }
    throw new Error("redirect loop");
  }
}

export function pkce() {
  const verifier = randomBytes(32).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export type Authorization = {
  clientId: string;
  challenge: string;
  scope?: string;
  redirectUri?: string;
  extra?: Record<string, string>;
};

export function authorizationUrl({ clientId, challenge, scope, redirectUri = CALLBACK, extra }: Authorization): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: `${BASE}/mcp`,
    state: "s1",
    ...(scope === undefined ? {} : { scope }),
    ...extra,
  });
  return `/oauth/authorize?${query.toString()}`;
}

type Connected = { workspaceId: string; cookie: string; clientId?: string; scopes?: readonly string[] };

/** Connects a client for a person; returns its tokens. */
export async function connect({ workspaceId, cookie, clientId, scopes = SCOPES }: Connected) {
  const id = clientId ?? (await register());
  const { verifier, challenge } = pkce();
  const browser = new ScriptedBrowser(cookie);
  const path = await browser.start(authorizationUrl({ clientId: id, challenge, scope: scopes.join(" ") }));
  const form = [...scopes.map((scope) => ["scope", scope] as const), ["workspace", workspaceId], ["decision", "allow"]];
  const callback = await browser.follow(await browser.decide(path, form as [string, string][]));
  const code = callback.searchParams.get("code") ?? "";
  const tokens = await redeem({ clientId: id, code, verifier });
  return { clientId: id, verifier, code, callback, ...(await tokensOf(tokens)) };
}

export const redeem = ({ clientId, code, verifier }: { clientId: string; code: string; verifier: string }) =>
  post("/oauth/token", {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: CALLBACK,
    resource: `${BASE}/mcp`,
  });

export const refresh = (clientId: string, refreshToken: string) =>
  post("/oauth/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: refreshToken });

export async function tokensOf(response: Response) {
  const body = await jsonOf(response);
  return {
    status: response.status,
    error: body["error"],
    accessToken: String(body["access_token"]),
    refreshToken: String(body["refresh_token"]),
    scope: String(body["scope"]),
    expiresIn: body["expires_in"],
  };
}
