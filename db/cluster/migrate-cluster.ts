import type postgres from "postgres";

import { isDistributed, listUnplaced, placeTables, type Placement } from "./place-tables";

const CREATED = /^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:"?public"?\.)?"?(\w+)"?/i;
const KEYED = /^\s*alter\s+table\s+(?:"?public"?\.)?"?(\w+)"?\s+add\s+constraint\s[\s\S]*\bforeign\s+key\b/i;
/** Of columns, which Citus does not pass on to shards. */
const STORED =
  /^\s*alter\s+table\s+(?:"?public"?\.)?"?(\w+)"?\s+(alter\s+column\s+"?\w+"?\s+set\s+storage\s+\w+)\s*;?\s*$/i;

/** What a migration does otherwise on a cluster. On a single server nothing is. */
export type ClusterMigration = {
  /** Called before a statement; true when it has been dealt with. */
  before: (statement: string) => Promise<boolean>;
  /** At the end of the transaction: what the migrations have made is placed where its class belongs. */
  finish: () => Promise<void>;
  /** Statements that have to wait until the transaction is done. */
  afterwards: { table: string; change: string }[];
};

const NOTHING: ClusterMigration = {
  before: () => Promise.resolve(false),
  finish: () => Promise.resolve(),
  afterwards: [],
};

/** How the migrations of this transaction are run, whether or not the tables are distributed. */
export async function prepareMigration(tx: postgres.TransactionSql): Promise<ClusterMigration> {
  if (!(await isDistributed(tx))) return NOTHING;
  // DDL of tables that the same transaction has made, and that foreign keys bind.
  await tx`select set_config('citus.multi_shard_modify_mode', 'sequential', true)`;
  const made = new Set<string>();
  const place = async (wanted: (placement: Placement) => boolean) => {
    const unplaced = (await listUnplaced(tx)).filter(wanted);
    if (unplaced.length > 0) await placeTables(tx, unplaced, { shards: 1 });
  };
  const afterwards: ClusterMigration["afterwards"] = [];
  return {
    afterwards,
    async before(statement) {
      const [, created] = CREATED.exec(statement) ?? [];
      if (created !== undefined) made.add(created);
      const [, keyed] = KEYED.exec(statement) ?? [];
      // A local table may not name a distributed one.
      if (keyed !== undefined && made.has(keyed)) await place(({ table }) => table === keyed);
      const [, stored, change] = STORED.exec(statement) ?? [];
      if (stored === undefined || change === undefined || made.has(stored)) return false;
      afterwards.push({ table: stored, change });
      return true;
    },
    finish: () => place(() => true),
  };
}

/** Changes that Citus passes on to no shard: on each of them, and on the table that the coordinator shows. */
export async function runAfterwards(sql: postgres.Sql, { afterwards }: ClusterMigration): Promise<void> {
  for (const { table, change } of afterwards) {
    await sql.begin(async (tx) => {
      await tx`select set_config('citus.enable_ddl_propagation', 'off', true)`;
      await tx.unsafe(`alter table only ${table} ${change}`);
    });
    await sql`
      select run_command_on_placements(relid, ${`alter table only %s ${change}`})
      from pg_partition_tree(${table}::regclass)`;
  }
}
