import { sql } from "drizzle-orm";

import type { Db } from "@/db/client";
import { uuidToId } from "@/lib/contract/ids";
import { unpackJson } from "./pack-json";
import { signalsById } from "./queries-by-id";
import { uuid, uuids } from "./queries-parts";

type SignalsRow = { event_id: string; signals: unknown; packed: Uint8Array | null };

/** The stored raw signals of visits, by imprint. Visits whose signals were erased are omitted. */
export async function findSignals(
  db: Db,
  workspaceId: string,
  imprints: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await db.execute<SignalsRow>(sql`
    select v.event_id, v.signals, s.packed from visits v
    ${signalsById(uuid(workspaceId), sql`v.event_id`)}
    where v.workspace_id = ${uuid(workspaceId)} and v.event_id = any(${uuids(imprints)})`);
  return new Map(
    rows.flatMap(({ event_id, signals, packed }) => {
      const stored = packed === null ? signals : unpackJson(packed);
      return stored === null ? [] : [[uuidToId("imprint", event_id), stored] as const];
    }),
  );
}
