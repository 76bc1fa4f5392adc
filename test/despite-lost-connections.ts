import { isDatabaseUnavailable } from "@/db/client";

const MAX_ATTEMPTS = 20;

/**
 * Repeats a read whose connection is lost. A server process that was told to terminate may end only after the test has
 * stopped killing, beneath whichever query uses its connection next.
 */
export async function despiteLostConnections<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isDatabaseUnavailable(error)) throw error;
    }
  }
}
