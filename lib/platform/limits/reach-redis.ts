import { failureText } from "@/lib/platform/failure-text";
import { problemWithin } from "@/lib/platform/problem-within";

const KEY = "imprint:reach";

/** The reason why the rate limit server does not accept writes in time; undefined if it does. */
export async function reachRedis(address: string, timeoutMs: number): Promise<string | undefined> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
  });
  // Commands fail with "Connection is closed."; only the event has the reason.
  let reason: string | undefined;
  redis.on("error", (error) => (reason = failureText(error)));
  const asked = redis.connect().then(() => redis.set(KEY, "", "PX", 1));
  // ioredis's timeouts do not cover its own commands on a new connection.
  const problem = await problemWithin(
    timeoutMs,
    asked,
    (error) => reason ?? (error instanceof Error ? error.message : "unknown"),
  );
  redis.disconnect();
  return problem;
}
