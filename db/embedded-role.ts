import { randomBytes } from "node:crypto";

import type postgres from "postgres";

import {
  type ConnectionFile,
  connectOnce,
  DATABASE,
  MAINTENANCE_DATABASE,
  SERVICE_ROLE,
  urlOf,
} from "./embedded-connection";

export const newPassword = () => randomBytes(24).toString("base64url");

/**
 * Ensures the role that the service connects as. It owns its database and everything in it, but has no server-wide
 * rights except statistics.
 */
async function ensureRole(sql: postgres.Sql, password: string, isNewPassword: boolean): Promise<void> {
  const found = await sql`select 1 from pg_roles where rolname = ${SERVICE_ROLE}`;
  if (found.length === 0) await sql.unsafe(`create role ${SERVICE_ROLE} login password '${password}'`);
  else if (isNewPassword) await sql.unsafe(`alter role ${SERVICE_ROLE} password '${password}'`);
  // So that metrics and doctor can see transactions left open by other roles.
  await sql.unsafe(`grant pg_read_all_stats to ${SERVICE_ROLE}`);
}

async function ensureDatabase(sql: postgres.Sql): Promise<void> {
  const [found] = await sql<{ isOwned: boolean }[]>`
    select datdba = ${SERVICE_ROLE}::regrole as "isOwned" from pg_database where datname = ${DATABASE}`;
  if (!found) await sql.unsafe(`create database ${DATABASE} owner ${SERVICE_ROLE}`);
  else if (!found.isOwned) await sql.unsafe(`alter database ${DATABASE} owner to ${SERVICE_ROLE}`);
}

/** In 0.1.0 the superuser owned everything. Dependent objects take the owner of their table. */
const TRANSFER_OWNERSHIP = `
  do $$
  declare each record;
  begin
    for each in
      with spaces as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
      select format('alter schema %I owner to ${SERVICE_ROLE}', s.nspname) as statement
      from spaces s join pg_namespace n on n.oid = s.oid
      where n.nspowner <> '${SERVICE_ROLE}'::regrole and s.nspname <> 'public'
      union all
      select format('alter %s %I.%I owner to ${SERVICE_ROLE}',
        case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
        s.nspname, c.relname)
      from pg_class c join spaces s on s.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> '${SERVICE_ROLE}'::regrole
        and not exists (
          select 1 from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.refobjsubid > 0 and d.deptype in ('a', 'i'))
      union all
      select format('alter routine %s owner to ${SERVICE_ROLE}', p.oid::regprocedure)
      from pg_proc p join spaces s on s.oid = p.pronamespace
      where p.proowner <> '${SERVICE_ROLE}'::regrole
      union all
      select format('alter type %I.%I owner to ${SERVICE_ROLE}', s.nspname, t.typname)
      from pg_type t join spaces s on s.oid = t.typnamespace
      where t.typtype in ('e', 'd') and t.typowner <> '${SERVICE_ROLE}'::regrole
    loop
      execute each.statement;
    end loop;
  end $$`;

async function withAdministrator<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = connectOnce(url);
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Creates the service's database and role if missing, and transfers the superuser's objects to the role.
 *
 * @returns the new contents of `conn.json`
 */
export async function prepareDatabase(
  connection: ConnectionFile,
): Promise<ConnectionFile & Required<Pick<ConnectionFile, "servicePassword">>> {
  const servicePassword = connection.servicePassword ?? newPassword();
  await withAdministrator(urlOf(connection, MAINTENANCE_DATABASE), async (sql) => {
    await ensureRole(sql, servicePassword, connection.servicePassword === undefined);
    await ensureDatabase(sql);
  });
  await withAdministrator(urlOf(connection, DATABASE), (sql) => sql.unsafe(TRANSFER_OWNERSHIP));
  return { ...connection, servicePassword };
}
