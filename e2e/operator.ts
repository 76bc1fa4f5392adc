import { connect } from "@/db/client";
import { runAdmin } from "@/lib/operations/admin";
import { publishSecrets } from "@/lib/platform/secrets";
import { createAuthAdapter, SESSION_DAYS, useLoginLink } from "@/lib/tenancy/sign-in";

/** Base URL of the verbs in this process, which has neither `BASE_URL` nor `PORT`. */
const OWN_BASE_URL = "http://localhost:3000";

type Options = { databaseUrl: string; secrets: Record<"AUTH_SECRET" | "KEY_PEPPER" | "KEKS", string>; url: string };

export type Operator = {
  /** Runs an admin command on the service's database and returns its JSON. */
  admin: (...args: string[]) => Promise<Record<string, string>>;
  /** Opens a session as the page of a sign-in link does; returns its token. */
  openSession: (email: string) => Promise<string>;
  close: () => Promise<void>;
};

/**
 * Runs admin commands in this process, because starting one takes half a second each time. `process/admin.spec.ts`
 * tests the command line itself alongside a service.
 */
export function openOperator({ databaseUrl, secrets, url }: Options): Operator {
  // Either directly or through a pooler, which may reject settings and named statements.
  const options = { poolSize: 1, prepare: false, hasSettings: false, applicationName: "operator" };
  const { db, close } = connect({ url: databaseUrl, ...options });
  const admin: Operator["admin"] = async (...args) => {
    publishSecrets({ authSecret: secrets.AUTH_SECRET, keyPepper: secrets.KEY_PEPPER, keks: secrets.KEKS });
    const printed = { out: "", error: "" };
    const code = await runAdmin([...args, "--json"], {
      openDatabase: () => Promise.resolve(db),
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.error += text) },
      migrationsFolder: "db/migrations",
      secretsFile: undefined,
      isEmbedded: false,
      networkFacts: [],
    });
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${printed.error}`);
    return JSON.parse(printed.out.replaceAll(OWN_BASE_URL, url)) as Record<string, string>;
  };
  return {
    admin,
    async openSession(email) {
      const link = await admin("login-link", "--email", email);
      const token = new URL(link["url"] ?? "").searchParams.get("token") ?? "";
      const { userId } = await useLoginLink(db, { email, token });
      const sessionToken = crypto.randomUUID();
      const expires = new Date(Date.now() + SESSION_DAYS * 86_400_000);
      await createAuthAdapter(db).createSession?.({ sessionToken, userId, expires });
      return sessionToken;
    },
    close,
  };
}
