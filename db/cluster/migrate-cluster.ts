import type postgres from "postgres";

import { isDistributed, listUnplaced, placeTables, type Placement } from "./place-tables";

const CREATED = /^\s*create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?:"?public"?\.)?"?(\w+)"?/i;
const KEYED = /^\s*alter\s+table\s+(?:"?public"?\.)?"?(\w+)"?\s+add\s+constraint\s[\s\S]*\bforeign\s+key\b/i;
/** Storage settings of columns, which Citus does not propagate to shards. */
const STORED =
  /^\s*alter\s+table\s+(?:"?public"?\.)?"?(\w+)"?\s+(alter\s+column\s+"?\w+"?\s+set\s+storage\s+\w+)\s*;?\s*$/i;

/** How a migration is run differently on a cluster; on a single server nothing differs. */
export type ClusterMigration = {
  /** Called before a statement; resolves to true if the statement has been handled. */
  before: (statement: string) => Promise<boolean>;
  /** Called at the end of the transaction: places newly created tables according to their class. */
  finish: () => Promise<void>;
  /** Statements to run after the transaction has committed. */
  afterwards: { table: string; change: string }[];
};

const NOTHING: ClusterMigration = {
  before: () => Promise.resolve(false),
  finish: () => Promise.resolve(),
  afterwards: [],
};

/** Prepares the migrations of this transaction for a cluster, or for a single server if tables are not distributed. */
export async function prepareMigration(tx: postgres.TransactionSql): Promise<ClusterMigration> {
  if (!(await isDistributed(tx))) return NOTHING;
  // Needed for DDL on tables that the same transaction created and that foreign keys reference.
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
      // A local table cannot reference a distributed one.
      if (keyed !== undefined && made.has(keyed)) await place(({ table }) => table === keyed);
      const [, stored, change] = STORED.exec(statement) ?? [];
      if (stored === undefined || change === undefined || made.has(stored)) return false;
      afterwards.push({ table: stored, change });
      return true;
    },
    finish: () => place(() => true),
  };
}

/** Applies changes that Citus does not propagate to every shard and to the coordinator's own table. */
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
