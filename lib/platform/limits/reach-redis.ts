import { Redis } from "ioredis";

/** Whether the server of the limits answers in time; the reason if it does not. */
export async function reachRedis(address: string, timeoutMs: number): Promise<string | undefined> {
  const redis = new Redis(address, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
  });
  redis.on("error", () => undefined);
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "unknown";
  } finally {
    redis.disconnect();
  }
}
