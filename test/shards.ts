import { isOnShard } from "@/db/shard-reads";
import { statementName } from "@/db/statement-name";
import { countRoundTrips } from "@/db/client";
import type { createTestDatabase } from "./database";

type Pool = Awaited<ReturnType<typeof createTestDatabase>>["pool"];
type Sent = Awaited<ReturnType<typeof countRoundTrips>>["sent"][number];

/** Statements that a process writes in the background, in batches. */
const BESIDE = /usage_batches|api_key_uses|update "api_keys"/;

/**
 * Number of shards that a statement touches according to its plan; 0 if it reads only coordinator and lookup tables.
 * Sequential steps of a plan are counted separately.
 */
async function shardsOf(pool: Pool, { text, parameters }: Sent): Promise<number> {
  // Sent directly to the shard's server, so it can touch no other shard.
  if (isOnShard(text)) return 1;
  const rows = await pool.unsafe<{ "QUERY PLAN": string }[]>(`explain ${text}`, [...parameters] as never[]);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  return tasks.reduce((sum, count) => sum + count, 0);
}

/** Result of `work`, its statements, and the number of shards each touches. */
export async function shardsTouchedBy<T>(pool: Pool, work: () => Promise<T>) {
  const { result, sent } = await countRoundTrips(work);
  const touched: { name: string; text: string; shards: number }[] = [];
  for (const each of sent.filter(({ text }) => !BESIDE.test(text)))
    touched.push({ name: statementName(each.text), text: each.text, shards: await shardsOf(pool, each) });
  return { result, touched };
}
