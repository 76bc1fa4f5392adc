import type { Redis } from "ioredis";

import { AppError } from "@/lib/contract/errors";
import { log } from "@/lib/platform/log";
import type { PermitStore } from "./permit-store";
import { createStoreHealth } from "./store-health";

/** A limiter must not cost more than the work it limits. */
const ANSWER_TIMEOUT_MS = 500;
const RECONNECT_MS = 500;
/** Silence after which a connection is replaced: its host may be gone, which TCP notices only after minutes. */
const SILENCE_MS = 1_000;
/** After a failover the address resolves to another server, but an open connection stays with the old one. */
const IS_REPLICA = /\b(?:READONLY|MASTERDOWN)\b/;

/**
 * The generic cell rate algorithm as an atomic script, on the server's clock. Numbers are integer microseconds below
 * 2^53, stored in an explicit format because Lua prints only fourteen digits. An impossible arrival time means that the
 * clock was set back, see `advanceTat`.
 */
const TAKE = `
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
local arrival = math.max(tonumber(redis.call("GET", KEYS[1]) or "0"), now)
local increment = tonumber(ARGV[1])
local tolerance = tonumber(ARGV[2])
if arrival > now + tolerance then arrival = now + tolerance - increment end
local next = arrival + increment
if next - now > tolerance then return {0, arrival - now} end
redis.call("SET", KEYS[1], string.format("%.0f", next), "PX", math.ceil((next - now) / 1000) + 1000)
return {1, next - now}
`;

const PREFIX = "imprint:rate:";

/** Buckets in Redis or Valkey. Each key expires a second after its bucket is full again. */
function redisStore(open: () => Promise<Redis>): PermitStore {
  return {
    async take(bucket, { permits, emissionMicros, burst }) {
      const [incrementMicros, toleranceMicros] = [permits * emissionMicros, burst * emissionMicros];
      try {
        const redis = await open();
        const answer = await redis.eval(TAKE, 1, PREFIX + bucket, incrementMicros, toleranceMicros);
        const [allowed, tatAheadMicros] = answer as [number, number]; // safe: the script returns nothing else
        return { allowed: allowed === 1, tatAheadMicros };
      } catch (error) {
        throw new AppError("service_unavailable", { cause: error });
      }
    },
    health: createStoreHealth(),
  };
}

type OpenStore = { store: PermitStore; close: () => Promise<void> };

/** The library is loaded on first use: most installations have no such server. */
async function connect(address: string): Promise<Redis> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(address, {
    lazyConnect: true,
    // While the server is unavailable commands fail at once, and the caller's failure mode applies.
    enableOfflineQueue: true,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_TIMEOUT_MS,
    connectTimeout: ANSWER_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    reconnectOnError: ({ message }) => IS_REPLICA.test(message),
    retryStrategy: () => RECONNECT_MS,
  });
  // Without a listener a lost connection would crash the process.
  redis.on("error", (error) => {
    log.debug({ err: error }, "the Redis server for rate limits is unavailable");
  });
  return redis;
}

/** Connects on first use, to a URL or a socket path. */
export function openRedisStore(address: string): OpenStore {
  let connection: Promise<Redis> | undefined;
  return {
    store: redisStore(() => (connection ??= connect(address))),
    async close() {
      const redis = await connection;
      redis?.disconnect();
    },
  };
}

let shared: OpenStore | undefined;

/** The store shared by this process. */
export function sharedRedisStore(address: string): PermitStore {
  shared ??= openRedisStore(address);
  return shared.store;
}

/** Closes this process's connection, if any. */
export async function closeRedis(): Promise<void> {
  await shared?.close();
  shared = undefined;
}
