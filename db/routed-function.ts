import { createHash } from "node:crypto";

/**
 * Runs a statement on the server where the rows of a workspace lie, on its tables there: Citus itself sends neither
 * inserts within a statement nor `do update` by the clock to one shard, and plans what it sends again each time.
 *
 * - The shard's metadata is locked as Citus locks it for its own writes: a shard that is moved waits for the transaction.
 * - A statement is prepared once for each session and shard. Its tables are renamed to those of the shard.
 * - A setting of the session remembers what is prepared: to list its prepared statements costs more than most of them.
 * - A session of the coordinator in which Citus runs the call instead of passing it on never reaches a shard again: an
 *   error while Citus 13 plans a statement in parts leaves it believing that it still does. It ends, also behind a pooler.
 * - A refusal of a constraint comes back as a value, for Citus drops its name on the way.
 * - It tells on which server and shard it ran: the next statement of the workspace can be sent there.
 */
export const ROUTED_FUNCTION = "run_on_shard";

/** The tables of a shard, and of those that every server has, each with the number that its name ends with. */
const tablesOf = (shard: string) => `
  select c.relname as name, s.shardid from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid and not c.relispartition
  join pg_dist_shard s on s.logicalrelid = p.logicalrelid
  join pg_dist_shard known on known.shardid = ${shard}
  join pg_dist_partition beside on beside.logicalrelid = known.logicalrelid
  where (p.colocationid = beside.colocationid and s.shardminvalue = known.shardminvalue) or p.repmodel = 't'`;

/** `tablesOf` for a client: `name`, `shardid` as text. */
export const READ_TABLES_OF_SHARD = tablesOf("$1::bigint");

/** Where the text of a statement names a table: behind these words alone, since columns and aliases have such names too. */
const NAMED = String.raw`'(\m(?:from|join|into|update)\s+)' || each.name || '\M(?!\.)'`;
/** As Drizzle writes one, which then names its columns with the table. */
const QUOTED = String.raw`'(\m(?:from|join|into|update)\s+)"' || each.name || '"'`;

const BODY = `
declare
  shard bigint := get_shard_id_for_distribution_column('visits', workspace);
  prepared text := 'routed_' || shard || '_' || name;
  command text := statement;
  own_group int;
  rows json[] := '{}';
  refused_column text;
  refused_constraint text;
  refused_message text;
  refused_state text;
  each record;
begin
  perform lock_shard_metadata(5, array[shard]);
  select groupid into own_group from pg_dist_local_group;
  if not exists (select 1 from pg_dist_placement p where p.shardid = shard and p.groupid = own_group) then
    if own_group = 0 then
      perform pg_terminate_backend(pg_backend_pid(), 5000);
    end if;
    raise exception 'the rows of the workspace have moved' using errcode = '40001';
  end if;
  if current_setting('imprint.' || prepared, true) is distinct from 'yes' then
    if exists (select 1 from pg_prepared_statements s where s.name = prepared) then
      execute format('deallocate %I', prepared);
    end if;
    for each in ${tablesOf("shard")} loop
      command := regexp_replace(command, ${NAMED}, '\\1' || each.name || '_' || each.shardid, 'gi');
      command := regexp_replace(command, ${QUOTED}, '\\1' || each.name || '_' || each.shardid || ' as ' || each.name, 'gi');
    end loop;
    execute format('prepare %I as %s', prepared, command);
    perform set_config('imprint.' || prepared, 'yes', false);
  end if;
  for each in execute format('execute %I%s', prepared, (
    select '(' || string_agg(quote_nullable(value), ',') || ')' from json_array_elements_text(parameters)))
  loop
    rows := rows || to_json(each);
  end loop;
  return json_build_object('rows', to_json(rows), 'server', own_group, 'shard', shard);
exception when integrity_constraint_violation then
  get stacked diagnostics refused_column = column_name, refused_constraint = constraint_name,
    refused_message = message_text, refused_state = returned_sqlstate;
  return json_build_object('refusal', json_build_object('code', refused_state, 'message', refused_message,
    'column_name', refused_column, 'constraint_name', regexp_replace(refused_constraint, '_\\d+$', '')));
end `;

export const CREATE_ROUTED_FUNCTION = `
create or replace function ${ROUTED_FUNCTION}(workspace uuid, name text, statement text, parameters json) returns json
language plpgsql as $function$${BODY}$function$`;

/** Whether a server has the function: `current`, `other` where it is not the one above, or `missing`. */
export const STATE_OF_ROUTED_FUNCTION = `
  select coalesce((
    select case when md5(prosrc) = '${createHash("md5").update(BODY).digest("hex")}' then 'current' else 'other' end
    from pg_proc where oid = to_regprocedure('${ROUTED_FUNCTION}(uuid,text,text,json)')), 'missing')`;

/** The shard of the workspace decides where it runs, within transactions too. */
export const DISTRIBUTE_ROUTED_FUNCTION = `
select create_distributed_function('${ROUTED_FUNCTION}(uuid,text,text,json)', 'workspace', colocate_with => 'visits',
  force_delegation => true)`;
