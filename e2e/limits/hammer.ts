/**
 * A replica that requests permits from one bucket as fast as possible for some seconds. Prints its start and end time,
 * by the machine's clock, and the number of permits it got.
 */
import { connect } from "@/db/client";
import { openRedisStore } from "@/lib/platform/limits/redis-store";
import type { PermitStore } from "@/lib/platform/limits/permit-store";
import { postgresStore } from "@/lib/platform/limits/store";
import { takePermitFrom } from "@/lib/platform/limits/take-permit";

type Order = { kind: "PostgreSQL" | "Redis"; address: string; subject: string; rate: number; seconds: number };

const CLIENTS = 8;
const order = JSON.parse(process.argv[2] ?? "{}") as Order;
const limit = { name: "hammered", ratePerSecond: order.rate, burst: order.rate };

function openStore(): { store: PermitStore; close: () => Promise<void> } {
  if (order.kind === "Redis") return openRedisStore(order.address);
  const { db, close } = connect({ url: order.address, poolSize: CLIENTS, prepare: true, applicationName: "hammer" });
  return { store: postgresStore(db), close };
}

const { store, close } = openStore();
// Establish the connection before the measurement.
await takePermitFrom(store, { name: "warm-up", ratePerSecond: 1, burst: 1 }, crypto.randomUUID(), "closed");
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));

const wallMs = () => performance.timeOrigin + performance.now();
const startedAt = wallMs();
let allowed = 0;
let asked = 0;

async function client(): Promise<void> {
  while (wallMs() - startedAt < order.seconds * 1000) {
    asked += 1;
    if ((await takePermitFrom(store, limit, order.subject, "closed")).allowed) allowed += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

await Promise.all(Array.from({ length: CLIENTS }, client));
process.stdout.write(`${JSON.stringify({ startedAt, endedAt: wallMs(), allowed, asked })}\n`);
await close();
process.exit(0);
