import { randomUUID } from "node:crypto";

import postgres from "postgres";

import { connect, type Connection, publishConnection } from "@/db/client";
import { openDisposable } from "@/db/embedded";
import { migrateDatabase } from "@/db/migrate";
import { ensurePartitions } from "@/db/partitions";
import { sessionOptions } from "@/db/session-settings";
import { prepareGivenDatabase } from "@/test/given-database";
import { env } from "@/lib/platform/env";
import { quantile } from "../../common/report";
import { query } from "../../common/connection";

export type BenchDatabase = Connection & {
  url: string;
  /** A connection without deadlines, for preparing the measurement. */
  fill: postgres.Sql;
  stop: () => Promise<void>;
};

type Size = { poolSize: number; daysBack: number };

/** Opens a database that is kept afterwards, with the migrated schema and partitions for the last `daysBack` days. */
export async function openKeptDatabase(url: string, { poolSize, daysBack }: Size): Promise<BenchDatabase> {
  await migrateDatabase(url, "db/migrations");
  const connection = connect({ url, poolSize, prepare: true, applicationName: "bench" });
  publishConnection(connection);
  const now = new Date();
  await ensurePartitions(connection.db, new Date(now.getTime() - daysBack * 86_400_000), now);
  const fill = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { TimeZone: "UTC" },
  });
  return {
    ...connection,
    url,
    fill,
    async stop() {
      await fill.end({ timeout: 5 });
      await connection.close();
    },
  };
}

/** Opens a disposable server with the migrated schema and partitions for the last `daysBack` days. */
export async function openBenchDatabase(size: Size): Promise<BenchDatabase> {
  const server = await openDisposable(env.PG_BIN_DIR);
  const name = `bench_${randomUUID().replaceAll("-", "")}`;
  await query(server.url, `create database ${name}`);
  const database = await openKeptDatabase(Object.assign(new URL(server.url), { pathname: `/${name}` }).href, size);
  return {
    ...database,
    async stop() {
      await database.stop();
      await server.stop();
    },
  };
}

/** Opens a given database, migrated and distributed as for tests: PostgreSQL, a pooler, or a Citus coordinator. */
export async function openGivenDatabase(
  url: string,
  { poolSize }: { poolSize: number },
): Promise<Omit<BenchDatabase, "fill">> {
  await prepareGivenDatabase(url);
  const connection = connect({ url, poolSize, ...(await sessionOptions(url)), applicationName: "bench" });
  publishConnection(connection);
  return { ...connection, url, stop: connection.close };
}

export type Times = { runs: number; p50Ms: number; p99Ms: number; maxMs: number };

/** Runs `work` sequentially for each input and measures how long each call takes. */
export async function measureEach<T>(inputs: readonly T[], work: (input: T) => Promise<unknown>): Promise<Times> {
  const took: number[] = [];
  for (const input of inputs) {
    const startedAt = performance.now();
    await work(input);
    took.push(performance.now() - startedAt);
  }
  const at = (share: number) => Number(quantile(took, share).toFixed(2));
  return { runs: took.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

type PlanNode = {
  "Relation Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
};

/** Rows read from tables and pages touched by a plan in `explain (analyze, buffers, format json)` format. */
export function readPlan(rows: readonly Record<string, unknown>[]): { rows: number; pages: number } {
  const [{ Plan: plan } = { Plan: {} }] = (rows[0]?.["QUERY PLAN"] ?? []) as { Plan: PlanNode }[];
  const rowsOf = (node: PlanNode): number =>
    (node["Relation Name"] === undefined ? 0 : (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 0)) +
    (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  return {
    rows: Math.round(rowsOf(plan)),
    pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
  };
}
