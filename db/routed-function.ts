import { createHash } from "node:crypto";

/**
 * Runs a statement on the server that stores a workspace's rows, against the shard's tables. Citus itself routes
 * neither inserts inside a larger statement nor `do update` with clock functions to a single shard, and replans the
 * statements it forwards on every call.
 *
 * - The shard metadata is locked as Citus does for its own writes, so a shard move waits for the transaction.
 * - A statement is prepared once per session and shard, with its table names replaced by those of the shard.
 * - A session setting records what is prepared: querying pg_prepared_statements costs more than most statements.
 * - A coordinator session in which Citus runs the call locally instead of forwarding it is terminated, also behind a
 * pooler: after an error while planning a multi-part statement, Citus 13 believes that it is still inside one, and the
 * session never reaches a shard again.
 * - Constraint violations are returned as a value, because Citus drops the constraint name from forwarded errors.
 * - The result names the server and shard it ran on, so that the workspace's next statement can go there directly.
 */
export const ROUTED_FUNCTION = "run_on_shard";

/** Query for the tables of a shard and the lookup tables on every server, each with its shard id suffix. */
const tablesOf = (shard: string) => `
  select c.relname as name, s.shardid from pg_dist_partition p
  join pg_class c on c.oid = p.logicalrelid and not c.relispartition
  join pg_dist_shard s on s.logicalrelid = p.logicalrelid
  join pg_dist_shard known on known.shardid = ${shard}
  join pg_dist_partition beside on beside.logicalrelid = known.logicalrelid
  where (p.colocationid = beside.colocationid and s.shardminvalue = known.shardminvalue) or p.repmodel = 't'`;

/** `tablesOf` for a client; returns `name`, and `shardid` as text. */
export const READ_TABLES_OF_SHARD = tablesOf("$1::bigint");

/**
 * Matches a table name in a statement, only after these keywords, since columns and aliases can have the same names.
 */
const NAMED = String.raw`'(\m(?:from|join|into|update)\s+)' || each.name || '\M(?!\.)'`;
/** Matches a quoted name as Drizzle writes it; Drizzle also qualifies columns with it. */
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

/**
 * Query for the state of the function on a server: `current`, `other` if it differs from the one above, or `missing`.
 */
export const STATE_OF_ROUTED_FUNCTION = `
  select coalesce((
    select case when md5(prosrc) = '${createHash("md5").update(BODY).digest("hex")}' then 'current' else 'other' end
    from pg_proc where oid = to_regprocedure('${ROUTED_FUNCTION}(uuid,text,text,json)')), 'missing')`;

/** Makes Citus run the function on the workspace's shard, within transactions too. */
export const DISTRIBUTE_ROUTED_FUNCTION = `
select create_distributed_function('${ROUTED_FUNCTION}(uuid,text,text,json)', 'workspace', colocate_with => 'visits',
  force_delegation => true)`;
