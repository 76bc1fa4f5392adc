import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { statement } from "@/db/prepared";

const { placeholder } = sql;

/** Expired rows deleted by each use. */
const MAX_CLEARED = 10;

const useStatement = statement<{ "?column?": number }>(
  sql`
  with cleared as (
    delete from agent_signatures where digest in (
      select digest from agent_signatures where expires_at < clock_timestamp() limit ${MAX_CLEARED} for update skip locked))
  insert into agent_signatures as s (digest, body_hash, expires_at)
  values (${placeholder("digest")}, ${placeholder("bodyHash")},
    clock_timestamp() + make_interval(secs => ${placeholder("keptSeconds")}::int))
  on conflict (digest) do update set body_hash = excluded.body_hash where s.body_hash = excluded.body_hash
  returning 1`,
  "use agent signature",
);

/** Records that a signature was used with a body. False if it was used with a different body before, on any replica. */
export async function useSignature(
  db: Db,
  use: { digest: Uint8Array; bodyHash: Uint8Array; keptSeconds: number },
): Promise<boolean> {
  return (await useStatement(db, use)).length > 0;
}
