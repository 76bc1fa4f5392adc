import { cookies } from "next/headers";
import NextAuth, { type NextAuthConfig } from "next-auth";

import { database } from "@/db/client";
import { baseUrl } from "@/lib/env";
import { log } from "@/lib/log";
import { authSecret } from "@/lib/secrets";
import { createAuthAdapter, isKnownUser, LOGIN_LINK_SECONDS, sendLoginLink, sessionCookie } from "@/lib/sign-in";

const SESSION_SECONDS = 30 * 24 * 3600;

/** Where everybody lands who asked for a link, known or not. */
export const CHECK_PAGE = "/sign-in/check?provider=email&type=email";

const isSecure = () => baseUrl().startsWith("https:");

const config = (): NextAuthConfig => ({
  adapter: createAuthAdapter(),
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
    // An unknown address leads to the same page as a known one, and no link is made.
    signIn: async ({ user }) => (user.email ? await isKnownUser(database(), user.email) : false) || CHECK_PAGE,
  },
});

/** The configuration is a function: building the product needs neither a database nor a secret. */
export const { handlers, signIn, signOut } = NextAuth(config);

/** Signs a person in without a link: used once, by the set-up. */
export async function startSession(userId: string, now: Date): Promise<void> {
  const sessionToken = crypto.randomUUID();
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await createAuthAdapter().createSession?.({ sessionToken, userId, expires });
  const options = { httpOnly: true, sameSite: "lax", secure: isSecure(), path: "/", expires } as const;
  (await cookies()).set(sessionCookie(), sessionToken, options);
}
