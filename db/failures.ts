/** The error and what it was caused by, the outermost first. */
export function* causes(error: unknown): Generator<object> {
  for (let at = error; typeof at === "object" && at !== null; at = "cause" in at ? at.cause : undefined) yield at;
}

/** The code of an error itself: of the system, the driver or PostgreSQL. */
export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** The code of an error or of what it was caused by: of the system, the driver or PostgreSQL. */
export function failureCode(error: unknown): string | undefined {
  for (const at of causes(error))
    if ("code" in at && typeof at.code === "string" && at.code !== "service_unavailable") return at.code;
  return undefined;
}

/** Errors of the system and the driver, and the deadline's, which Drizzle wraps like any other failure of a query. */
const UNAVAILABLE_CODES = new Set([
  "service_unavailable",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ECONNABORTED",
  // No new connection for want of files, buffers or ports.
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "EADDRNOTAVAIL",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
]);

/** The server's certificate has expired, or is not the expected one. Source: Node.js, "TLS (SSL)", X509 certificate error codes. */
const UNTRUSTED =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)/;

/**
 * SQLSTATEs, or their first characters, of a server that cannot do now what it could do before: connection (08), a
 * password or role that no longer holds (28), a database that is gone (3D), resources such as disk and memory (53),
 * operator intervention (57), input and output (58), time-outs, conflicts with other transactions or with recovery.
 * Source: PostgreSQL, "PostgreSQL Error Codes".
 */
const UNAVAILABLE_STATES = /^(?:08|28|3D|53|57|58|25P03|25P04|40001|40P01|55P03)[0-9A-Z]*$/;

const READ_ONLY_STATE = "25006";
/** A standby refuses unlogged tables while it plans, before it refuses to write: 0A000 from this function. */
const STANDBY_REFUSAL = { code: "0A000", routine: "get_relation_info" };

function isReadOnlyRefusal(error: object): boolean {
  if (!("code" in error)) return false;
  if (error.code === READ_ONLY_STATE) return true;
  return error.code === STANDBY_REFUSAL.code && "routine" in error && error.routine === STANDBY_REFUSAL.routine;
}

/** Whether `error` says that the server takes no writes: a standby, or a primary that was made read-only. */
export const isReadOnly = (error: unknown): boolean => [...causes(error)].some(isReadOnlyRefusal);

/** Whether `error` says that the database is unavailable or too busy, rather than that a query is wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  [...causes(error)].some((at) => {
    if (!("code" in at) || typeof at.code !== "string") return false;
    return (
      UNAVAILABLE_CODES.has(at.code) ||
      UNAVAILABLE_STATES.test(at.code) ||
      UNTRUSTED.test(at.code) ||
      isReadOnlyRefusal(at)
    );
  });
