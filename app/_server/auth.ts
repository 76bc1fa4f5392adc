import { cookies, headers } from "next/headers";
import NextAuth, { customFetch, type NextAuthConfig, type Profile } from "next-auth";

import { database } from "@/db/client";
import { baseUrl } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { authSecret } from "@/lib/platform/secrets";
import {
  admitFromProvider,
  askProvider,
  createAuthAdapter,
  identityProviders,
  requestLoginLink,
  returnPath,
  SESSION_DAYS,
  sessionCookie,
  type SignInFacts,
} from "@/lib/tenancy/sign-in";
import { parseEmail } from "@/lib/tenancy/workspaces";
import { requestFacts } from "./page";

const SESSION_SECONDS = SESSION_DAYS * 24 * 3600;

/** Shown after a link was requested, for known and unknown addresses alike. */
export const CHECK_PAGE = "/sign-in/check?provider=email&type=email";

const isSecure = () => baseUrl().startsWith("https:");

/** Page that explains a failed sign-in. */
const REFUSED = { unknown: "/sign-in?error=AccessDenied", unverified: "/sign-in?error=Unverified" } as const;

type Account = { provider: string; providerAccountId: string };

async function admit({ provider, providerAccountId }: Account, claims: Profile): Promise<true | string> {
  const outcome = await admitFromProvider(database(), { provider, providerAccountId, claims });
  return outcome === "admitted" || REFUSED[outcome];
}

const signInFacts = async (method: () => string | undefined): Promise<SignInFacts> => ({
  ...(await requestFacts()),
  userAgent: (await headers()).get("user-agent") ?? "",
  method,
});

async function config(): Promise<NextAuthConfig> {
  // Created for each request: the sign-in method is known before the session starts.
  let provider: string | undefined;
  const facts = await signInFacts(() => provider);
  return settings(facts, (used) => {
    provider = used;
  });
}

/** Requests a link for next-auth's own endpoint, which responds the same in every case. */
async function sendLink(email: string, url: string): Promise<void> {
  const callbackUrl = new URL(url).searchParams.get("callbackUrl");
  try {
    await requestLoginLink(database(), { email, callbackUrl, address: (await requestFacts()).address });
  } catch (error) {
    log.warn({ err: error }, "a sign-in link was not sent");
  }
}

const settings = (facts: SignInFacts, onProvider: (provider: string) => void): NextAuthConfig => ({
  adapter: createAuthAdapter(database(), facts),
  secret: authSecret(),
  trustHost: true,
  useSecureCookies: isSecure(),
  session: { strategy: "database", maxAge: SESSION_SECONDS },
  pages: { signIn: "/sign-in", verifyRequest: "/sign-in/check", error: "/sign-in" },
  // Its own logger prints failed queries with their parameters.
  logger: {
    error(error) {
      log.error({ err: error }, "sign-in failed");
    },
    warn(code) {
      log.warn({ code }, "sign-in warning");
    },
  },
  providers: [
    ...identityProviders().map((known) => ({ ...known, [customFetch]: askProvider })),
    {
      id: "email",
      type: "email",
      name: "E-mail",
      from: "",
      options: {},
      // An invalid address is treated like an unknown one.
      normalizeIdentifier: (typed) => parseEmail(typed.trim()) ?? "",
      sendVerificationRequest: ({ identifier, url }) => sendLink(identifier, url),
    },
  ],
  callbacks: {
    redirect: ({ url }) => baseUrl() + returnPath(baseUrl(), url),
    async signIn({ account, profile }) {
      if (account) onProvider(account.provider);
      if (account && account.type !== "email") return await admit(account, profile ?? {});
      // Every request gets the same response; `requestLoginLink` checks whether the address is known.
      return true;
    },
  },
});

/** The configuration is a function: building the product needs neither a database nor a secret. */
export const { handlers, signIn } = NextAuth(config);

const sessionOptions = () => ({ httpOnly: true, sameSite: "lax", secure: isSecure(), path: "/" }) as const;

/** Ends the session of this browser, if it has one. */
export async function endPresentSession(): Promise<void> {
  const jar = await cookies();
  const token = jar.get(sessionCookie())?.value;
  if (!token) return;
  await createAuthAdapter(database(), await signInFacts(() => undefined)).deleteSession?.(token);
  jar.set(sessionCookie(), "", { ...sessionOptions(), maxAge: 0 });
}

/**
 * Signs a person in after a link, the set-up or an invitation has verified the address. An earlier session of this
 * browser ends.
 */
export async function startSession(userId: string, now: Date, method: "email" | "set-up" | "invitation") {
  await endPresentSession();
  const sessionToken = crypto.randomUUID();
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000);
  const facts = await signInFacts(() => method);
  await createAuthAdapter(database(), facts).createSession?.({ sessionToken, userId, expires });
  (await cookies()).set(sessionCookie(), sessionToken, { ...sessionOptions(), expires });
}
