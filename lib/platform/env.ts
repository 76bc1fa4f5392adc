import { createEnv } from "@t3-oss/env-nextjs";
import { z } from "zod";

import { backupVariables } from "./env-backup";
import { mcpVariables } from "./env-mcp";
import { networkVariables } from "./env-network";
import { observationVariables } from "./env-observation";
import { trialVariables } from "./env-trials";
import { databaseUrl, httpUrl, isHttpsOrLoopback, isSigningKeySet, ownUrl, port, serverUrl } from "./env-values";

const days = z.coerce.number().int().min(1).max(3650);
const PLANS = ["lite", "pro", "enterprise"] as const;

/** `kid:base64[,kid:base64]`; the first entry is the current one, the others are still accepted. */
const keyRing = z
  .string()
  .regex(/^[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+(,[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+)*$/, "expected kid:base64[,kid:base64]");

const environmentId = z.string().regex(/^env_[0-9a-f]{32}$/, "expected the environment id of a Web App, `env_…`");

/** Over http anybody on the network path could forge identities. */
const providerUrl = httpUrl.refine(
  isHttpsOrLoopback,
  "must be an https address: over http anybody on the way could sign in as anyone. Only a provider on this machine (localhost, 127.0.0.1, [::1]) may use http",
);

/**
 * Every variable that the service reads. The README's table is generated from the descriptions here.
 * All are optional: a default installation sets none.
 */
const variables = {
  PORT: port.default(3000).describe("Port to listen on."),
  HOST: z
    .string()
    .default("localhost")
    .describe("Address to listen on. `0.0.0.0` or `::` opens the service to other machines."),
  WORKERS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe("Processes that answer requests, on one port. With 1, one process does everything."),
  SHUTDOWN_DELAY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      "Time after a stop signal in which requests are served on while `/readyz` answers 503, so that load balancers turn away first.",
    ),
  KEEP_ALIVE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(5)
    .describe("Time for which an idle connection is kept. Longer than that of the load balancer in front."),
  PUBLIC_DEMO_ENVIRONMENT: environmentId
    .optional()
    .describe(
      "Environment id of the Web App for which visitors may run the component on the service's front page and see their own Report. Its origins have to hold that of the service. Default: nobody may.",
    ),
  BASE_URL: ownUrl
    .optional()
    .describe("Address at which people and browsers reach the service. Default: `http://localhost:PORT`."),
  DATABASE_URL: databaseUrl
    .optional()
    .describe("PostgreSQL server to use. Without it the embedded PostgreSQL is started."),
  DATABASE_PREPARE: z
    .stringbool()
    .optional()
    .describe(
      "Named prepared statements. Default: `true`, and `false` through a pooler such as PgBouncer; `true` for one that supports them is faster.",
    ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe("Connections of each process that answers requests."),
  DATABASE_READ_URL: databaseUrl
    .optional()
    .describe("Streaming replica that the Console, exports and History read from while it is fresh enough."),
  DATABASE_READ_MAX_LAG_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(5)
    .describe("How old the replica's data may be; beyond that the primary is read."),
  DATA_DIR: z
    .string()
    .default(".data")
    .describe("Folder for the embedded database, generated secrets and built network tables."),
  PG_BIN_DIR: z
    .string()
    .optional()
    .describe("PostgreSQL binaries to use for the embedded server instead of those from npm."),
  TRUSTED_PROXIES: z
    .string()
    .default("")
    .describe(
      "Proxies whose `X-Forwarded-For` counts: CIDRs, `loopback`, `uniquelocal`, separated by commas. Default: nobody.",
    ),
  CLIENT_IP_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .optional()
    .describe("Header in which a hosting platform that owns the socket gives the client address."),
  ...mcpVariables,
  ...networkVariables,
  REDIS_URL: serverUrl(/^rediss?$/)
    .optional()
    .describe("Redis or Valkey server that keeps the rate limits. Without it PostgreSQL keeps them."),
  AUTH_SECRET: z
    .string()
    .min(32)
    .optional()
    .describe("Secret of the sign-in links. Default: generated into `DATA_DIR`."),
  KEY_PEPPER: keyRing
    .optional()
    .describe(
      "Pepper under which keys and tokens are hashed, `kid:base64`; the first is current. Default: generated into `DATA_DIR`.",
    ),
  KEKS: keyRing
    .optional()
    .describe(
      "Key-encryption keys (32 bytes) for sealed secrets, `kid:base64`; the first is current. Default: generated into `DATA_DIR`.",
    ),
  OAUTH_JWKS: z
    .string()
    .refine(isSigningKeySet, 'expected {"keys":[…]} with at least one private EC key on P-256')
    .optional()
    .describe(
      "Signing keys of the OAuth server, a JWK set with private P-256 keys; the first signs. Default: derived from `KEY_PEPPER`.",
    ),
  OAUTH_COOKIE_KEYS: z
    .string()
    .regex(/^[^,]{32,}(,[^,]{32,})*$/, "expected texts of 32 characters or more, separated by commas")
    .optional()
    .describe(
      "Keys that sign the cookies of the OAuth server, separated by commas; the first is current. Default: derived from `KEY_PEPPER`.",
    ),
  SMTP_URL: serverUrl(/^smtps?$/)
    .optional()
    .describe("Mail server for sign-in links. Without it the link is printed by the server."),
  SMTP_FROM: z.string().default("Imprint <no-reply@localhost>").describe("Sender of sign-in mails."),
  OIDC_ISSUER: providerUrl
    .optional()
    .describe("Issuer of an OpenID Connect provider that people may sign in by; see the docs on operating."),
  OIDC_CLIENT_ID: z.string().optional().describe("Client id at that provider."),
  OIDC_CLIENT_SECRET: z.string().optional().describe("Client secret at that provider."),
  OIDC_NAME: z.string().default("single sign-on").describe("What the sign-in page calls that provider."),
  OIDC_TRUST_EMAIL: z
    .stringbool()
    .default(false)
    .describe("Take its addresses as verified although it does not say so (no `email_verified` claim)."),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Client id at Google, for signing in by Google."),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("Client secret at Google."),
  GOOGLE_ISSUER: providerUrl
    .default("https://accounts.google.com")
    .describe("Issuer of Google. Another one only to try the sign-in against a provider of your own."),
  GITHUB_CLIENT_ID: z.string().optional().describe("Client id of an OAuth app at GitHub, for signing in by GitHub."),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("Client secret of that OAuth app."),
  GITHUB_URL: providerUrl.default("https://github.com").describe("GitHub Enterprise Server to use in place of GitHub."),
  ...trialVariables,
  ...backupVariables,
  INIT_OWNER_EMAIL: z
    .string()
    .optional()
    .describe("Sets an empty instance up at its first start: its owner's address. See the docs on operating."),
  INIT_WORKSPACE: z.string().optional().describe("Name of the workspace that is made for that owner."),
  INIT_WEB_APP: z.string().optional().describe("Name of the Web App that is made in it."),
  INIT_ORIGINS: z.string().optional().describe("Allowed Origins of that Web App, separated by commas."),
  INIT_ENVIRONMENT_ID: z
    .string()
    .optional()
    .describe("Environment id of that Web App. Default: a new one, which `web-app list` shows."),
  INIT_API_KEY: z
    .string()
    .optional()
    .describe("Server key of that Web App; `npm run -s admin -- init values` prints one that may be used."),
  INIT_API_KEY_FILE: z.string().optional().describe("File that holds the key, in place of `INIT_API_KEY`."),
  ...observationVariables,
  DEFAULT_PLAN: z.enum(PLANS).default("pro").describe("Plan of a new workspace."),
  RETENTION_DAYS: days
    .default(400)
    .describe("Days after which visits, their Reports and links are dropped, by whole months."),
  SIGNALS_RETENTION_DAYS: days
    .default(30)
    .describe("Days for which the raw signals of a visit are kept at most; erased by whole days (UTC)."),
};

export const ENVIRONMENT_VARIABLES = Object.entries(variables).map(([name, schema]) => ({
  name,
  description: schema.description ?? "",
  default: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined,
}));

type Issue = { message: string; path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined };

/** Names invalid variables without their values, some of which are secrets. */
function refuse(issues: readonly Issue[]): never {
  const lines = issues.map(({ path: [first = "?"] = [], message }) => {
    const name = typeof first === "object" ? first.key : first;
    return `  ${String(name)}: ${message}`;
  });
  throw new Error(["The environment is not valid.", ...lines].join("\n"));
}

/** The database knows a digest of each of these as it was first given. */
const AS_GIVEN = new Set(["AUTH_SECRET", "OAUTH_JWKS", "OAUTH_COOKIE_KEYS"]);

/** Mounted secrets end with a line end, and files of settings leave one of Windows or a blank. */
const trimmed = () =>
  Object.fromEntries(
    Object.keys(variables).map((name) => [name, AS_GIVEN.has(name) ? process.env[name] : process.env[name]?.trim()]),
  );

export const env = createEnv({
  server: variables,
  experimental__runtimeEnv: trimmed(),
  emptyStringAsUndefined: true,
  onValidationError: refuse,
});

/** Of the service that runs on the data directory, for the command line. */
let addressOfService: string | undefined;

/** Address at which people and browsers reach the service, without a trailing slash. */
export const baseUrl = (): string =>
  (env.BASE_URL ?? addressOfService ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");

/** Takes the address of the running service in place of the default: a command may lack the settings of its start. */
export function useAddressOf(service: { address: string | undefined }): void {
  if (env.BASE_URL === undefined && !process.env["PORT"]) addressOfService = service.address;
}

/** Folder of the bundles, relative to the working directory. Not a setting: test builds use their own. */
export const bundleFolder = (): string => `${process.env["IMPRINT_BUILD_DIR"] ?? "."}/dist`;

/** Folder in which Next has built the pages, as next.config.ts says; relative and no setting likewise. */
export const pagesFolder = (): string => {
  const given = process.env["IMPRINT_BUILD_DIR"];
  return given ? `${given}/next` : ".next";
};

/** Next takes its configuration from here in place of reading `next.config.ts`. */
export const configureNext = (configuration: string): void => {
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = configuration;
};

/** Names the role of a worker in its environment, for whoever looks at the processes. Not a setting. */
export const ROLE_VARIABLE = "IMPRINT_WORKER_ROLE";

/** Where a command was typed: npm itself works in the folder of the package. */
export const callerFolder = (): string => process.env["INIT_CWD"] ?? process.cwd();
