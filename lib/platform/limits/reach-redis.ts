import { problemWithin } from "@/lib/platform/problem-within";

const KEY = "imprint:reach";

/** Whether the server of the limits takes writes in time; the reason if it does not. */
export async function reachRedis(address: string, timeoutMs: number): Promise<string | undefined> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
  });
  redis.on("error", () => undefined);
  const asked = redis.connect().then(() => redis.set(KEY, "", "PX", 1));
  // The library's own time-outs do not cover what it asks a new connection.
  const problem = await problemWithin(timeoutMs, asked, (error) =>
    error instanceof Error ? error.message : "unknown",
  );
  redis.disconnect();
  return problem;
}
