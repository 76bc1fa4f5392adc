import { codeOf } from "./failures";
import { nameStatement } from "./statement-name";

/** The tables of a shard: the number with which the name of each ends there. */
export type ShardTables = { shard: number; names: ReadonlyMap<string, number> };

export type ReadOnShard = {
  /** The text with the tables of a shard. */
  textOn: (tables: ShardTables) => string;
  /** Whether it failed because the server has the shard no more. */
  isMoved: (error: unknown) => boolean;
};

/** Whatever may change something, or lock a row. */
const CHANGES = /\b(?:insert|update|delete|merge|lock|share|call|nextval|setval|set_config)\b/i;

const OPENS = "select answer.* from (";
/** Whether a statement is one that was made for a shard. */
export const isOnShard = (text: string): boolean => text.startsWith(OPENS) && text.includes("pg_dist_local_group");

/** As `run_on_shard` finds them: behind these words alone, since columns and aliases have such names too. */
const NAMED = /(\b(?:from|join)\s+)(?:"(\w+)"|(\w+)\b(?!\.))/gi;

function rename(text: string, { names }: ShardTables): string {
  return text.replaceAll(NAMED, (whole, before: string, quoted: string | undefined, plain: string | undefined) => {
    const name = quoted ?? plain ?? "";
    const number = names.get(name.toLowerCase());
    if (number === undefined) return whole;
    return quoted === undefined ? `${before}${name}_${number}` : `${before}"${name}_${number}" as "${name}"`;
  });
}

/** The division by nothing, and a table of a shard that was dropped after its move. */
const MOVED = new Set(["22012", "42P01"]);

/**
 * A statement that only reads, as the server of a shard runs it without Citus: on the shard's own tables, prepared like
 * any other, as long as the server has the shard. Read of a shard that is being moved are the rows from before the move.
 *
 * @returns nothing for a statement that may change something, which has to hold the shard's lock
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
