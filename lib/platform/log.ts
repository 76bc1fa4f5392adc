import pino, { type DestinationStream, type Logger } from "pino";

import { createErrorSerializer, type ErrorSerializer } from "@/lib/platform/describe-error";
import { followLevel, logSettings } from "@/lib/platform/log-settings";
import { tracer } from "@/lib/platform/tracing";

/** Fields whose values are redacted at any depth, case-insensitively. */
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
/** Fields that hold thrown values, which can be of any type. */
const THROWN: ReadonlySet<string> = new Set(["err", "error", "cause"]);
const CENSORED = "[redacted]";
const MAX_DEPTH = 8;

/** Redacts secrets, and serialises errors wherever they occur. */
function serialize(value: unknown, serializeError: ErrorSerializer, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return serializeError(value);
  if (depth === MAX_DEPTH) return "[deeper]";
  if (Array.isArray(value)) return value.map((item) => serialize(item, serializeError, depth + 1));
  // Dates and buffers have their own JSON form.
  return "toJSON" in value ? value : serializeFields(value, serializeError, depth + 1);
}

function serializeFields(fields: object, serializeError: ErrorSerializer, depth = 0): Record<string, unknown> {
  const serialized: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (SECRETS.has(name.toLowerCase())) serialized[name] = CENSORED;
    else serialized[name] = THROWN.has(name) ? serializeError(value) : serialize(value, serializeError, depth);
  }
  return serialized;
}

/** Links a log line to the trace of its request. */
function traced(): { traceId?: string } {
  const traceId = tracer()?.traceId();
  return traceId === undefined ? {} : { traceId };
}

/** Bytes buffered while the log cannot be written; lines beyond that are dropped. */
const MAX_UNWRITTEN_BYTES = 1024 * 1024;

/** Writes lines to a file descriptor. Write errors, as on a full disk, do not stop the service. */
export function openDestination(fileDescriptor: number) {
  const destination = pino.destination({ dest: fileDescriptor, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  return destination.on("error", () => undefined);
}

export function createLog(destination?: DestinationStream, level: string = logSettings().level): Logger {
  const serializeError = createErrorSerializer();
  return pino(
    {
      level,
      base: null,
      mixin: traced,
      formatters: { log: (fields) => serializeFields(fields, serializeError) },
      // pino's own serializer would serialize the result again.
      serializers: { err: (serialized: unknown) => serialized },
    },
    destination ?? openDestination(2),
  );
}

export const log = createLog();
followLevel(log);
