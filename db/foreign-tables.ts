import type postgres from "postgres";

/** Number of names in a message. */
const NAMED = 5;

/**
 * Refuses a database that has never been migrated but has tables, so that a mistyped name does not put this service's
 * tables among those of another program. Tables of extensions do not count.
 *
 * @throws Error naming some of the tables
 */
export async function refuseForeignTables(sql: postgres.Sql): Promise<void> {
  const rows = await sql<{ name: string; database: string }[]>`
    select c.relname::text as name, current_database()::text as database from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1`;
  const [first] = rows;
  if (!first) return;
  const names = rows.slice(0, NAMED).map(({ name }) => name);
  const more = rows.length > NAMED ? ` and ${rows.length - NAMED} more` : "";
  throw new Error(
    `The database ${first.database} has tables of another program, or parts of a backup were restored into it: ${names.join(", ")}${more}. Nothing was changed. Give Imprint a database of its own, and check the name in DATABASE_URL.`,
  );
}
