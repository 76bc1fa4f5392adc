import { createEnv } from "@t3-oss/env-nextjs";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65535);
const days = z.coerce.number().int().min(1).max(3650);
const PLANS = ["lite", "pro", "enterprise"] as const;

/** `kid:base64[,kid:base64]`; the first entry is the current one, the others are still accepted. */
const keyRing = z
  .string()
  .regex(/^[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+(,[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+)*$/, "expected kid:base64[,kid:base64]");

const httpUrl = z.url({ protocol: /^https?$/ });

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
  BASE_URL: httpUrl
    .optional()
    .describe("Address at which people and browsers reach the service. Default: `http://localhost:PORT`."),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe("PostgreSQL server to use. Without it the embedded PostgreSQL is started."),
  DATABASE_PREPARE: z
    .stringbool()
    .default(true)
    .describe("Named prepared statements. Set `false` behind a pooler that does not support them."),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(16).describe("Connections of each process."),
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
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe("Mail server for sign-in links. Without it the link is printed by the server."),
  SMTP_FROM: z.string().default("Imprint <no-reply@localhost>").describe("Sender of sign-in mails."),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least severity that is logged."),
  DEFAULT_PLAN: z.enum(PLANS).default("pro").describe("Plan of a new workspace."),
  RETENTION_DAYS: days.default(400).describe("Days after which visits and their Reports are dropped."),
  SIGNALS_RETENTION_DAYS: days.default(30).describe("Days after which the raw signals of a visit are erased."),
};

export const ENVIRONMENT_VARIABLES = Object.entries(variables).map(([name, schema]) => ({
  name,
  description: schema.description ?? "",
  default: schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined,
}));

export const env = createEnv({ server: variables, experimental__runtimeEnv: {}, emptyStringAsUndefined: true });

/** Address at which people and browsers reach the service, without a trailing slash. */
export const baseUrl = (): string => (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, "");
