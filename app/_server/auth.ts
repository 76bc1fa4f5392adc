import { cookies, headers } from "next/headers";
import NextAuth, { type NextAuthConfig, type Profile } from "next-auth";

import { database } from "@/db/client";
import { baseUrl } from "@/lib/env";
import { log } from "@/lib/log";
import { authSecret } from "@/lib/secrets";
import {
  admitFromProvider,
  createAuthAdapter,
  identityProviders,
  isKnownUser,
  LOGIN_LINK_SECONDS,
  sendLoginLink,
  SESSION_DAYS,
  sessionCookie,
  type SignInFacts,
} from "@/lib/sign-in";
import { requestFacts } from "./page";

const SESSION_SECONDS = SESSION_DAYS * 24 * 3600;

/** Where everybody lands who asked for a link, known or not. */
export const CHECK_PAGE = "/sign-in/check?provider=email&type=email";

const isSecure = () => baseUrl().startsWith("https:");

/** Where a refusal is explained. */
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
  // Made for each request: it is known by what somebody comes in before the session begins.
  let provider: string | undefined;
  const facts = await signInFacts(() => provider);
  return settings(facts, (used) => {
    provider = used;
  });
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
    ...identityProviders(),
    {
      id: "email",
      type: "email",
      name: "E-mail",
      from: "",
      maxAge: LOGIN_LINK_SECONDS,
      options: {},
      sendVerificationRequest: ({ identifier, url }) => sendLoginLink(database(), { identifier, url }),
    },
  ],
  callbacks: {
    async signIn({ user, account, profile }) {
      if (account) onProvider(account.provider);
      if (account && account.type !== "email") return await admit(account, profile ?? {});
      // An unknown address leads to the same page as a known one, and no link is made.
      return (user.email ? await isKnownUser(database(), user.email) : false) || CHECK_PAGE;
    },
  },
});

/** The configuration is a function: building the product needs neither a database nor a secret. */
export const { handlers, signIn, signOut } = NextAuth(config);

/** Signs a person in without another proof: one whom the set-up or an invitation has just made. */
export async function startSession(userId: string, now: Date, method: "set-up" | "invitation"): Promise<void> {
  const sessionToken = crypto.randomUUID();
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000);
  const facts = await signInFacts(() => method);
  await createAuthAdapter(database(), facts).createSession?.({ sessionToken, userId, expires });
  const options = { httpOnly: true, sameSite: "lax", secure: isSecure(), path: "/", expires } as const;
  (await cookies()).set(sessionCookie(), sessionToken, options);
}
