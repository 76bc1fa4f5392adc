import pino, { type DestinationStream, type Logger } from "pino";

import { env } from "@/lib/env";
import { sourceFrame } from "@/lib/source-frames";

/** Field names whose values never reach a log, wherever they stand up to three levels deep. */
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

const DEPTHS = ["", "*", "*.*", "*.*.*"] as const;

const paths = SECRET_FIELDS.flatMap((field) =>
  DEPTHS.map((depth) => (field.includes("-") ? `${depth}["${field}"]` : depth ? `${depth}.${field}` : field)),
);

/**
 * What may be told of a thrown value. Database errors print their statement and its parameters
 * (key hashes among them), so only name, SQLSTATE and stack frames survive.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const isDatabaseError = "query" in error || "severity_local" in error || error.name === "DrizzleQueryError";
  const sqlState = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const frames = error.stack
    ?.split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map(sourceFrame);
  return {
    name: error.name,
    ...(sqlState === undefined ? {} : { code: sqlState }),
    ...(isDatabaseError ? {} : { message: error.message }),
    frames,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

export const createLog = (destination?: DestinationStream, level: string = env.LOG_LEVEL): Logger =>
  pino(
    {
      level,
      base: null,
      redact: { paths, censor: "[redacted]" },
      serializers: { err: describeError, error: describeError, cause: describeError },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );

export const log = createLog();
