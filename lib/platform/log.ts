import pino, { type DestinationStream, type Logger } from "pino";

import { createErrorSerializer, type ErrorSerializer } from "@/lib/platform/describe-error";
import { env } from "@/lib/platform/env";

/** Field names whose values never reach a log, however deep they stand and however their letters are written. */
export const SECRET_FIELDS = [
  "api_key",
  "apiKey",
  "x-api-key",
  "claim_token",
  "claimToken",
  "authorization",
  "cookie",
  "set-cookie",
  "payment-signature",
  "secret",
  "password",
  "token",
  "sessionToken",
  "session_token",
  "challenge",
  "account_ref",
  "accountRef",
  "x-account-ref",
  "pepper",
  "url_with_token",
] as const;

const SECRETS: ReadonlySet<string> = new Set(SECRET_FIELDS.map((field) => field.toLowerCase()));
/** Fields of what was thrown, which can be anything. */
const THROWN: ReadonlySet<string> = new Set(["err", "error", "cause"]);
const CENSORED = "[redacted]";
const MAX_DEPTH = 8;

/** What may be logged of a value: errors as `serializeError` describes them, secrets by name alone. */
function tell(value: unknown, serializeError: ErrorSerializer, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return serializeError(value);
  if (depth === MAX_DEPTH) return "[deeper]";
  if (Array.isArray(value)) return value.map((item) => tell(item, serializeError, depth + 1));
  // Dates and buffers say themselves what they are as JSON.
  return "toJSON" in value ? value : tellFields(value, serializeError, depth + 1);
}

function tellFields(fields: object, serializeError: ErrorSerializer, depth = 0): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (SECRETS.has(name.toLowerCase())) told[name] = CENSORED;
    else told[name] = THROWN.has(name) ? serializeError(value) : tell(value, serializeError, depth);
  }
  return told;
}

export function createLog(destination?: DestinationStream, level: string = env.LOG_LEVEL): Logger {
  const serializeError = createErrorSerializer();
  return pino(
    {
      level,
      base: null,
      formatters: { log: (fields) => tellFields(fields, serializeError) },
      // The library's own would take the description of an error for an error.
      serializers: { err: (told: unknown) => told },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}

export const log = createLog();
