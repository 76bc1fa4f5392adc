/** The error and its chain of causes, outermost first. */
export function* causes(error: unknown): Generator<object> {
  for (let at = error; typeof at === "object" && at !== null; at = "cause" in at ? at.cause : undefined) yield at;
}

/** The error's own code, from the system, the driver or PostgreSQL. */
export const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** The code of an error or of one of its causes, from the system, the driver or PostgreSQL. */
export function failureCode(error: unknown): string | undefined {
  for (const at of causes(error))
    if ("code" in at && typeof at.code === "string" && at.code !== "service_unavailable") return at.code;
  return undefined;
}

/**
 * Whether one row of a statement can be the cause while the others would succeed: the same row twice (21000), a value or
 * constraint of its own, a conflict with another transaction, a row that stays locked.
 */
export const isOfOneRow = (error: unknown): boolean => /^(?:21|22|23|40001|40P01|55P03)/.test(failureCode(error) ?? "");

/** Codes of the system, the driver and the deadline; Drizzle wraps these errors like any other query failure. */
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
  // No new connection, for lack of file descriptors, buffers or ports.
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "EADDRNOTAVAIL",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
]);

/**
 * The server's certificate has expired or is not the expected one. Source: Node.js, "TLS (SSL)", X509 certificate error
 * codes.
 */
const UNTRUSTED =
  /^(?:ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA$|INVALID_PURPOSE$|HOSTNAME_MISMATCH$)/;

/**
 * SQLSTATEs, or prefixes of them, from a server that is temporarily unable to do its work: connection (08), invalid
 * password or role (28), missing database (3D), resources such as disk and memory (53), operator intervention (57),
 * input and output (58), timeouts, and conflicts with other transactions or with recovery. Source: PostgreSQL,
 * "PostgreSQL Error Codes".
 */
const UNAVAILABLE_STATES = /^(?:08|28|3D|53|57|58|25P03|25P04|40001|40P01|55P03)[0-9A-Z]*$/;

const READ_ONLY_STATE = "25006";
/** A standby rejects unlogged tables during planning, before it rejects the write: 0A000 from this function. */
const STANDBY_REFUSAL = { code: "0A000", routine: "get_relation_info" };

function isReadOnlyRefusal(error: object): boolean {
  if (!("code" in error)) return false;
  if (error.code === READ_ONLY_STATE) return true;
  return error.code === STANDBY_REFUSAL.code && "routine" in error && error.routine === STANDBY_REFUSAL.routine;
}

/** Whether `error` says that the server is read-only: a standby, or a primary switched to read-only. */
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
