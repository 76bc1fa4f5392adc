import { type DatabaseAddress, parseAddress } from "@/db/address";
import { codeOf } from "@/db/failures";
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

/** Why the database of an environment variable cannot be used and what to check, without the password. */
export function whyUnusable(variable: string, url: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "no reason given";
  // An error without a code of its own was written here, with what to do.
  const advice = (codeOf(error) === "" ? undefined : failureAdvice(error)) ?? message;
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
