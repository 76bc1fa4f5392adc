import { codeOf } from "./failures";
import { nameStatement } from "./statement-name";

/** The tables of a shard; `names` maps each table to its shard id suffix. */
export type ShardTables = { shard: number; names: ReadonlyMap<string, number> };

export type ReadOnShard = {
  /** The SQL with the tables of a shard substituted. */
  textOn: (tables: ShardTables) => string;
  /** Whether it failed because the server no longer has the shard. */
  isMoved: (error: unknown) => boolean;
};

/** Matches statements that may write or lock rows. */
const CHANGES = /\b(?:insert|update|delete|merge|lock|share|call|nextval|setval|set_config)\b/i;

const OPENS = "select answer.* from (";
/** Whether a statement was rewritten for a shard. */
export const isOnShard = (text: string): boolean => text.startsWith(OPENS) && text.includes("pg_dist_local_group");

/**
 * Matches table names as `run_on_shard` does: only after these keywords, since columns and aliases can have the same
 * names.
 */
const NAMED = /(\b(?:from|join)\s+)(?:"(\w+)"|(\w+)\b(?!\.))/gi;

function rename(text: string, { names }: ShardTables): string {
  return text.replaceAll(NAMED, (whole, before: string, quoted: string | undefined, plain: string | undefined) => {
    const name = quoted ?? plain ?? "";
    const number = names.get(name.toLowerCase());
    if (number === undefined) return whole;
    return quoted === undefined ? `${before}${name}_${number}` : `${before}"${name}_${number}" as "${name}"`;
  });
}

/** division_by_zero (our guard below) and undefined_table (the shard was dropped after a move). */
const MOVED = new Set(["22012", "42P01"]);

/**
 * Rewrites a read-only statement to run on a shard server without Citus: on the shard's own tables, prepared like any
 * other, guarded so that it fails if the server no longer has the shard. While a shard is being moved, a read sees its
 * rows from before the move.
 *
 * @returns undefined for a statement that may write, which has to hold the shard's lock
 */
export function onShard(text: string, name: string): ReadOnShard | undefined {
  if (CHANGES.test(text)) return undefined;
  const texts = new WeakMap<ShardTables, string>();
  function make(tables: ShardTables): string {
    const made = `${OPENS}${rename(text, tables)}) answer where 1 / (
      select count(*)::int from pg_dist_placement p join pg_dist_local_group g on g.groupid = p.groupid
      where p.shardid = ${tables.shard}) = 1`;
    texts.set(tables, made);
    nameStatement(made, name);
    return made;
  }
  return {
    textOn: (tables) => texts.get(tables) ?? make(tables),
    isMoved: (error) => MOVED.has(codeOf(error)),
  };
}
