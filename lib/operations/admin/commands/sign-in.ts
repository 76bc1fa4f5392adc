import type { Context } from "@/lib/platform/context";
import { AppError } from "@/lib/contract/errors";
import { createLoginLink, endOtherSessions, endSession, listSessions, unlinkProvider } from "@/lib/tenancy/sign-in";
import { findUserByEmail, requireEmail } from "@/lib/tenancy/workspaces";
import type { Command } from "../command";

const emailOption = { value: "ADDRESS", description: "E-mail address of the person", isRequired: true } as const;

async function findUserId(context: Context, address: string): Promise<string> {
  const user = await findUserByEmail(context.db, requireEmail(address));
  if (!user) throw new AppError("not_found", { message: "No user has that address" });
  return user.userId;
}

export const signInCommands: readonly Command[] = [
  {
    name: "login-link",
    summary: "Create a one-time sign-in link for a known address",
    options: { email: emailOption },
    async run(context, given) {
      const { url, expiresAt } = await createLoginLink(context, { email: given.text("email") });
      return { url, expires_at: expiresAt };
    },
  },
  {
    name: "session list",
    summary: "List the browsers in which a person is signed in",
    options: { email: emailOption },
    async run(context, given) {
      const rows = await listSessions(context, { userId: await findUserId(context, given.text("email")) });
      return {
        sessions: rows.map((row) => ({
          session_id: row.sessionId,
          since: row.createdAt,
          ends_at: row.expiresAt,
          browser: row.userAgent,
        })),
      };
    },
  },
  {
    name: "session end",
    summary: "Sign a person out, in one browser or everywhere",
    options: { email: emailOption, session: { value: "ID", description: "Session, `ses_…`; without it, all of them" } },
    async run(context, given) {
      const userId = await findUserId(context, given.text("email"));
      const sessionId = given.optional("session");
      if (sessionId === undefined) return { ended: (await endOtherSessions(context, { userId })).ended };
      await endSession(context, { userId, sessionId });
      return { ended: 1 };
    },
  },
  {
    name: "sign-in unlink",
    summary: "Unlink a person's account at an identity provider",
    options: {
      email: emailOption,
      provider: { value: "NAME", description: "Provider", choices: ["oidc", "google", "github"], isRequired: true },
    },
    async run(context, given) {
      const userId = await findUserId(context, given.text("email"));
      const { provider } = await unlinkProvider(context, { userId, provider: given.text("provider") });
      return { provider, unlinked: true };
    },
  },
];
