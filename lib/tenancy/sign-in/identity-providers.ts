import { z } from "zod";

import { env } from "@/lib/platform/env";

/** An identity provider as shown on the sign-in page. */
export type SignInMethod = { id: "oidc" | "google" | "github"; name: string };

type OpenIdSettings = SignInMethod & { issuer: string; clientId: string; clientSecret: string };
type GitHubSettings = { clientId: string; clientSecret: string };

const PROVIDER_TIMEOUT_MS = 10_000;

export function openIdSettings(): OpenIdSettings[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = env;
  const { GOOGLE_ISSUER, GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET } = env;
  const found: OpenIdSettings[] = [];
  if (OIDC_ISSUER && OIDC_CLIENT_ID && OIDC_CLIENT_SECRET) {
    const client = { clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET };
    found.push({ id: "oidc", name: env.OIDC_NAME, issuer: OIDC_ISSUER, ...client });
  }
  if (GOOGLE_CLIENT_ID && GOOGLE_CLIENT_SECRET) {
    const client = { clientId: GOOGLE_CLIENT_ID, clientSecret: GOOGLE_CLIENT_SECRET };
    found.push({ id: "google", name: "Google", issuer: GOOGLE_ISSUER, ...client });
  }
  return found;
}

function gitHubSettings(): GitHubSettings | undefined {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  return clientId && clientSecret ? { clientId, clientSecret } : undefined;
}

/** The configured identity providers, in display order. */
export function signInMethods(): SignInMethod[] {
  const openId = openIdSettings().map(({ id, name }): SignInMethod => ({ id, name }));
  return gitHubSettings() ? [...openId, { id: "github", name: "GitHub" }] : openId;
}

/** Options of all providers. Their tokens are not stored: they are needed only during sign-in. */
const common = {
  // Safe: `admitFromProvider` requires a verified address.
  allowDangerousEmailAccountLinking: true,
  account: () => ({}),
} as const;

type OpenIdProfile = { sub: string; name?: string; email?: string };

const openIdProvider = ({ id, name, issuer, clientId, clientSecret }: OpenIdSettings) => ({
  ...common,
  id,
  name,
  type: "oidc" as const,
  issuer,
  clientId,
  clientSecret,
  // Read claims from the userinfo endpoint: not every issuer puts the e-mail address into the ID token.
  idToken: false,
  checks: ["pkce" as const, "state" as const, "nonce" as const],
  authorization: { params: { scope: "openid email profile" } },
  profile: (profile: OpenIdProfile) => ({ id: profile.sub, name: profile.name ?? null, email: profile.email ?? null }),
});

const GitHubUser = z.object({ id: z.int(), login: z.string(), name: z.string().nullish() });
const GitHubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** With a timeout: a hanging provider would tie up requests in the pages process at the expense of others. */
export const askProvider: typeof fetch = (address, options) =>
  fetch(address, { ...options, signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS) });

async function readGitHub<T>(url: string, accessToken: string, schema: z.ZodType<T>): Promise<T> {
  const headers = { Authorization: `Bearer ${accessToken}`, "User-Agent": "Imprint", Accept: "application/json" };
  const answer = await askProvider(url, { headers });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status}`);
  return schema.parse(await answer.json());
}

/** GitHub, or GitHub Enterprise Server at `GITHUB_URL`, which has its API at another path. Source: docs.github.com/rest. */
function gitHubProvider({ clientId, clientSecret }: GitHubSettings) {
  const site = env.GITHUB_URL.replace(/\/+$/, "");
  const api = site === "https://github.com" ? "https://api.github.com" : `${site}/api/v3`;
  return {
    ...common,
    id: "github",
    name: "GitHub",
    type: "oauth" as const,
    issuer: `${site}/login/oauth`,
    clientId,
    clientSecret,
    checks: ["pkce" as const, "state" as const],
    authorization: { url: `${site}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: `${site}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      // The public profile shows an arbitrary address; only this list says which one is verified.
      async request({ tokens }: { tokens: { access_token?: string } }) {
        const token = tokens.access_token ?? "";
        const [user, emails] = await Promise.all([
          readGitHub(`${api}/user`, token, GitHubUser),
          readGitHub(`${api}/user/emails`, token, GitHubEmails),
        ]);
        const email = emails.find(({ primary, verified }) => primary && verified)?.email;
        return { id: user.id, name: user.name ?? user.login, email, email_verified: email !== undefined };
      },
    },
    profile: ({ id, name, email }: { id: number; name: string; email?: string }) => ({
      id: String(id),
      name,
      email: email ?? null,
    }),
  };
}

/** The configured providers in next-auth's format. */
export function identityProviders() {
  const gitHub = gitHubSettings();
  return [...openIdSettings().map(openIdProvider), ...(gitHub ? [gitHubProvider(gitHub)] : [])];
}
