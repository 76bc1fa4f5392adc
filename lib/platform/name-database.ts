import { type DatabaseAddress, parseAddress } from "@/db/address";
import { codeOf } from "@/db/failures";
import { tlsOf } from "@/db/open-client";
import { failureAdvice } from "./failure-text";

const DEFAULT_PORT = 5432;

/** What a database URL names, without its password. */
function placesOf({ servers, user, database }: DatabaseAddress): string {
  const places = servers.map(({ host, port }) => `${host === "" ? "localhost" : host}:${port ?? DEFAULT_PORT}`);
  const role = user === undefined ? "" : `, user ${user}`;
  return `${database === undefined ? "" : `database ${database} at `}${places.join(" or ")}${role}`;
}

function describe(url: string): string {
  try {
    return ` (${placesOf(parseAddress(url))})`;
  } catch {
    // The error itself says that the URL is invalid; the environment would have been refused.
    return "";
  }
}

/** PostgreSQL and poolers give a severity; other errors are of the system or the driver. */
const isFromServer = (error: unknown): error is Error => error instanceof Error && "severity" in error;

/** Whether a database URL requires TLS; false if it cannot be read. */
function requiresTls(url: string): boolean {
  try {
    const tls = tlsOf(parseAddress(url));
    return tls !== undefined && tls !== false && tls !== "prefer";
  } catch {
    return false;
  }
}

const OF_UNKNOWN_ROOT = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;

/** What is wrong with TLS, and what to change in the address. The code alone does not say it. */
function tlsAdvice(url: string, error: unknown): string | undefined {
  const code = codeOf(error);
  if (!requiresTls(url))
    return code === "28000" && isFromServer(error) && error.message.endsWith("no encryption")
      ? `it does not let this user in: check the user name and the server's access rules, or add sslmode=verify-full to the address if they require TLS (${code})`
      : undefined;
  // The driver reports a server's refusal of TLS as a lost connection.
  if (code === "ECONNRESET" || code === "CONNECTION_CLOSED")
    return `it accepts no TLS connection, or closed it: enable TLS on the server (ssl = on), or set sslmode=disable if nobody else can read the network (${code})`;
  return OF_UNKNOWN_ROOT.test(code)
    ? `its TLS certificate is of no trusted authority: name the file with its root certificate in the address, sslrootcert=FILE (${code})`
    : undefined;
}

/** Why the database of an environment variable cannot be used and what to check, without the password. */
export function whyUnusable(variable: string, url: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "no reason given";
  // An error without a code of its own was written here, with what to do.
  const advice = tlsAdvice(url, error) ?? (codeOf(error) === "" ? undefined : failureAdvice(error)) ?? message;
  const answer = isFromServer(error) ? `. The server says: ${error.message}` : "";
  return `${variable}${describe(url)} cannot be used: ${advice}${answer}`;
}

/**
 * Runs what first connects to the database of an environment variable.
 *
 * @throws Error that names the variable and the server if that fails
 */
export async function namingDatabase<T>(variable: string, url: string, connect: () => T | Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    throw new Error(whyUnusable(variable, url, error), { cause: error });
  }
}
