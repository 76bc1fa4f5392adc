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

/** `kid:base64[,kid:base64]`: the first entry is current, the others are still accepted. */
const keyRing = z
  .string()
  .regex(/^[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+(,[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+)*$/, "expected kid:base64[,kid:base64]");

const environmentId = z.string().regex(/^env_[0-9a-f]{32}$/, "expected the environment id of a Web App, `env_…`");

/** Over http, anyone on the network path could forge identities. */
const providerUrl = httpUrl.refine(
  isHttpsOrLoopback,
  "must be an https URL: over http anyone on the network path could sign in as anybody. Only a provider on this machine (localhost, 127.0.0.1, [::1]) may use http",
);

/**
 * Every variable that the service reads. The tables in the README and .env.example are generated from these descriptions.
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
    .describe("Processes that serve requests, on one port. With 1, a single process does everything."),
  SHUTDOWN_DELAY_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      "Time after a stop signal during which requests are still served while `/readyz` answers 503, so that load balancers stop sending traffic.",
    ),
  KEEP_ALIVE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(5)
    .describe("Idle timeout of connections. Set it longer than that of the load balancer in front."),
  PUBLIC_DEMO_ENVIRONMENT: environmentId
    .optional()
    .describe(
      "Environment id of a Web App: visitors may then run the component on the service's front page and see their own Report. Its Allowed Origins must include the service's own. Default: off.",
    ),
  BASE_URL: ownUrl
    .optional()
    .describe("URL at which people and browsers reach the service. Default: `http://localhost:PORT`."),
  DATABASE_URL: databaseUrl
    .optional()
    .describe("PostgreSQL server to use. Default: the embedded PostgreSQL is started."),
  DATABASE_PREPARE: z
    .stringbool()
    .optional()
    .describe(
      "Use named prepared statements. Default: `true`, or `false` through a pooler such as PgBouncer; set `true` for a pooler that supports them, which is faster.",
    ),
  DATABASE_POOL_SIZE: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe("Database connections per process that serves requests."),
  DATABASE_READ_URL: databaseUrl
    .optional()
    .describe("Streaming replica that the Console, exports and History read from while it is fresh enough."),
  DATABASE_READ_MAX_LAG_SECONDS: z.coerce
    .number()
    .min(1)
    .max(300)
    .default(5)
    .describe("Maximum replica lag; beyond it the primary is read."),
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
      "Proxies whose `X-Forwarded-For` is trusted: CIDRs, `loopback`, `uniquelocal`, separated by commas. Default: none.",
    ),
  CLIENT_IP_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .optional()
    .describe("Header in which a hosting platform that terminates connections passes the client IP."),
  ...mcpVariables,
  ...networkVariables,
  REDIS_URL: serverUrl(/^rediss?$/)
    .optional()
    .describe("Redis or Valkey server for rate limits. Default: they are kept in PostgreSQL."),
  AUTH_SECRET: z.string().min(32).optional().describe("Secret for sign-in links. Default: generated into `DATA_DIR`."),
  KEY_PEPPER: keyRing
    .optional()
    .describe(
      "Pepper for hashing keys and tokens, `kid:base64`; the first is current. Default: generated into `DATA_DIR`.",
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
    .regex(/^[^,]{32,}(,[^,]{32,})*$/, "expected strings of at least 32 characters, separated by commas")
    .optional()
    .describe(
      "Keys that sign the cookies of the OAuth server, separated by commas; the first is current. Default: derived from `KEY_PEPPER`.",
    ),
  SMTP_URL: serverUrl(/^smtps?$/)
    .optional()
    .describe("Mail server for sign-in links. Without it the server prints them to standard output."),
  SMTP_FROM: z.string().default("Imprint <no-reply@localhost>").describe("Sender of sign-in mails."),
  OIDC_ISSUER: providerUrl
    .optional()
    .describe("Issuer of an OpenID Connect provider for signing in; see the docs on operating."),
  OIDC_CLIENT_ID: z.string().optional().describe("Client id at that provider."),
  OIDC_CLIENT_SECRET: z.string().optional().describe("Client secret at that provider."),
  OIDC_NAME: z.string().default("single sign-on").describe("Name of that provider on the sign-in page."),
  OIDC_TRUST_EMAIL: z
    .stringbool()
    .default(false)
    .describe("Treat its e-mail addresses as verified even if it sends no `email_verified` claim."),
  GOOGLE_CLIENT_ID: z.string().optional().describe("Client id for signing in with Google."),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe("Client secret for signing in with Google."),
  GOOGLE_ISSUER: providerUrl
    .default("https://accounts.google.com")
    .describe("Issuer for signing in with Google. Change it only to test against a provider of your own."),
  GITHUB_CLIENT_ID: z.string().optional().describe("Client id of a GitHub OAuth app, for signing in with GitHub."),
  GITHUB_CLIENT_SECRET: z.string().optional().describe("Client secret of that OAuth app."),
  GITHUB_URL: providerUrl.default("https://github.com").describe("GitHub Enterprise Server to use instead of GitHub."),
  ...trialVariables,
  ...backupVariables,
  INIT_OWNER_EMAIL: z
    .string()
    .optional()
    .describe("Sets up an empty instance on first start: e-mail address of its owner. See the docs on operating."),
  INIT_WORKSPACE: z.string().optional().describe("Name of the workspace to create for that owner."),
  INIT_WEB_APP: z.string().optional().describe("Name of the Web App to create in that workspace."),
  INIT_ORIGINS: z.string().optional().describe("Allowed Origins of that Web App, separated by commas."),
  INIT_ENVIRONMENT_ID: z
    .string()
    .optional()
    .describe("Environment id of that Web App. Default: generated, and shown by `web-app list`."),
  INIT_API_KEY: z
    .string()
    .optional()
    .describe("Server key of that Web App; `npm run -s admin -- init values` prints a valid one."),
  INIT_API_KEY_FILE: z.string().optional().describe("File that contains the key, instead of `INIT_API_KEY`."),
  ...observationVariables,
  DEFAULT_PLAN: z.enum(PLANS).default("pro").describe("Plan of a new workspace."),
  RETENTION_DAYS: days
    .default(400)
    .describe("Days after which visits, their Reports and links are deleted, in whole months."),
  SIGNALS_RETENTION_DAYS: days
    .default(30)
    .describe("Maximum days for which a visit's raw signals are kept; deleted in whole UTC days."),
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

/** Secrets that are not trimmed: the database stores a digest of each exactly as first configured. */
const AS_GIVEN = new Set(["AUTH_SECRET", "OAUTH_JWKS", "OAUTH_COOKIE_KEYS"]);

/** Mounted secret files end with a line break, and env files can leave a carriage return or a space. */
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

/** URL of the service that runs on the data directory, for the command line. */
let addressOfService: string | undefined;

/** URL at which people and browsers reach the service, without a trailing slash. */
export const baseUrl = (): string =>
  (env.BASE_URL ?? addressOfService ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");

/** Replaces the default URL by that of the running service: a command may not have the service's environment. */
export function useAddressOf(service: { address: string | undefined }): void {
  if (env.BASE_URL === undefined && !process.env["PORT"]) addressOfService = service.address;
}

/** Folder of the bundles, relative to the working directory. `IMPRINT_BUILD_DIR` is internal: test builds set their own. */
export const bundleFolder = (): string => `${process.env["IMPRINT_BUILD_DIR"] ?? "."}/dist`;

/** Folder of Next's build, as in next.config.ts, relative to the working directory. */
export const pagesFolder = (): string => {
  const given = process.env["IMPRINT_BUILD_DIR"];
  return given ? `${given}/next` : ".next";
};

/** Passes the configuration to Next, which then does not read `next.config.ts`. */
export const configureNext = (configuration: string): void => {
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = configuration;
};

/** Environment variable that shows a worker's role in process listings. Internal, not a setting. */
export const ROLE_VARIABLE = "IMPRINT_WORKER_ROLE";

/** Working directory of the caller: npm itself changes to the package's folder. */
export const callerFolder = (): string => process.env["INIT_CWD"] ?? process.cwd();
