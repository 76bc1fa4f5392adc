import { setTimeout as delay } from "node:timers/promises";

import type postgres from "postgres";

import { AppError } from "@/lib/contract/errors";
import { CREATE_ROUTED_FUNCTION, DISTRIBUTE_ROUTED_FUNCTION, ROUTED_FUNCTION } from "../routed-function";
import { hasCitus, listUnplaced, placeTables, type Placement, removeFormerRows, type Sql } from "./place-tables";
import { listNodes, readLockCapacities } from "./read-cluster";

/** The migrations' advisory lock, so that the schema cannot change meanwhile. */
const SCHEMA_LOCK = 727274;
const LOCK_ATTEMPTS = 30;
const LOCK_TIMEOUT = "2s";
const PAUSE_MS = 500;
/** Locks taken per table shard: the table, its TOAST table and TOAST index, and some indexes. */
const LOCKS_OF_SHARD = 7;
const LOCK_FAILURES = new Set(["55P03", "40P01"]);

const refuse = (message: string): never => {
  throw new AppError("conflict", { message });
};

/** @throws AppError `conflict` if the server is not the coordinator of a cluster */
export async function refuseWithoutCluster(sql: Sql): Promise<void> {
  if (!(await hasCitus(sql)))
    refuse(
      "The database does not have the Citus extension. Install it on every server, add citus to shared_preload_libraries, and run `create extension citus` in this database on each server.",
    );
  const nodes = await listNodes(sql);
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    refuse(
      "The coordinator is not registered in its cluster, so lookup tables would not be placed on it. Run on it: select citus_set_coordinator_host('HOST', PORT)",
    );
  if (!nodes.some(({ hasShards }) => hasShards))
    refuse(
      "No server in the cluster accepts shards. Add workers on the coordinator: select citus_add_node('HOST', PORT)",
    );
}

/** Everything is placed in one transaction, so every server needs enough lock slots for it. */
async function refuseFewLocks(sql: Sql, unplaced: readonly Placement[], shards: number): Promise<void> {
  const [row] = await sql<{ tables: number }[]>`
    select count(*)::int as tables from pg_class c left join pg_inherits i on i.inhparent = c.oid and c.relkind = 'p'
    where c.relnamespace = 'public'::regnamespace and c.relname = any (string_to_array(${unplaced
      .filter(({ kind }) => kind === "tenant")
      .map(({ table }) => table)
      .join()}, ','))`;
  const nodes = (await listNodes(sql)).filter(({ hasShards }) => hasShards).length;
  const needed = (row?.tables ?? 0) * Math.ceil(shards / nodes) * LOCKS_OF_SHARD;
  for (const { name, locks } of await readLockCapacities(sql))
    if (locks < needed)
      refuse(
        `${name} has ${locks} lock slots, but distributing ${row?.tables ?? 0} tables and partitions takes up to ${needed} locks at once. Multiply max_locks_per_transaction in its configuration by ${Math.ceil(needed / locks)} and restart it.`,
      );
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

type Options = {
  shards: number;
  onPlace?: (placement: Placement, index: number, all: readonly Placement[]) => void;
};

/**
 * Creates the function that routes a workspace's statements to its shard server, or replaces that of an earlier
 * version.
 */
async function makeRoutedFunction(tx: postgres.TransactionSql): Promise<void> {
  await tx.unsafe(CREATE_ROUTED_FUNCTION);
  const [done] = await tx`
    select 1 from pg_dist_object where classid = 'pg_proc'::regclass and distribution_argument_index is not null
      and objid = to_regproc(${ROUTED_FUNCTION})`;
  if (!done) await tx.unsafe(DISTRIBUTE_ROUTED_FUNCTION);
}

async function placeAll(sql: postgres.Sql, { shards, onPlace }: Options): Promise<Placement[]> {
  return await sql.begin(async (tx) => {
    await tx`select set_config('statement_timeout', '0', true), set_config('lock_timeout', ${LOCK_TIMEOUT}, true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
    await tx`select pg_advisory_xact_lock(${SCHEMA_LOCK})`;
    const unplaced = await listUnplaced(tx);
    if (unplaced.length === 0) {
      await makeRoutedFunction(tx);
      return [];
    }
    // Locks everything up front, so that the transaction does not deadlock halfway with one that holds the rest. Reads
    // continue.
    await tx.unsafe(`lock table ${unplaced.map(({ table }) => table).join(", ")} in exclusive mode`);
    await tx`select set_config('lock_timeout', '5min', true)`;
    await placeTables(tx, unplaced, {
      shards,
      onPlace(placement, index) {
        onPlace?.(placement, index, unplaced);
      },
    });
    await makeRoutedFunction(tx);
    return [...unplaced];
  });
}

/**
 * Places every table according to its class, all of them or none. Concurrent writes wait, and are refused if they wait
 * too long, so that nothing is written to a table's former location.
 *
 * @returns the tables placed; empty if all were already in place
 */
export async function distribute(sql: postgres.Sql, options: Options): Promise<Placement[]> {
  await refuseWithoutCluster(sql);
  await refuseFewLocks(sql, await listUnplaced(sql), options.shards);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const placed = await placeAll(sql, options);
      await removeFormerRows(sql);
      return placed;
    } catch (error) {
      if (attempt === LOCK_ATTEMPTS || !LOCK_FAILURES.has(String(codeOf(error)))) throw error;
      await delay(PAUSE_MS);
    }
  }
}
