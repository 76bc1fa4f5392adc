import { createHash } from "node:crypto";

import type { Database } from "@/db/client";
import { readExpected } from "@/db/releases/load-release";
import { JOBS } from "@/lib/operations/jobs";
import { idToUuid } from "@/lib/contract/ids";
import type { Site } from "@/test/visits";
import { onConnection } from "../common/connection";

const ask = <T extends object>(url: string, text: string, parameters: string[] = []): Promise<T[]> =>
  onConnection(url, async (sql) => [...(await sql.unsafe<T[]>(text, parameters))]);

/** Checksum of the visit tables, excluding the workspaces of `sites`. */
export async function sumRows(url: string, sites: readonly Site[]): Promise<string> {
  const own = sites.map(({ workspaceId }) => `'${idToUuid(workspaceId)}'`).join();
  const sums: string[] = [];
  for (const table of ["visits", "report_deliveries", "account_links", "devices", "device_tokens", "audit_log"]) {
    const [row] = await ask<{ sum: string }>(
      url,
      `select count(*) || ' ' || coalesce(sum(('x' || left(md5(x::text), 8))::bit(32)::bigint), 0) as sum
       from ${table} x where workspace_id not in (${own})`,
    );
    sums.push(`${table} ${row?.sum}`);
  }
  return sums.join(", ");
}

/** Acknowledged visits that are not stored exactly once. */
export async function listMissing(url: string, imprints: readonly string[]): Promise<string[]> {
  const rows = await ask<{ id: string }>(
    url,
    `select replace(event_id::text, '-', '') as id from visits where event_id = any (string_to_array($1, ',')::uuid[])`,
    [imprints.map((imprint) => imprint.slice(-32)).join()],
  );
  const counts = new Map<string, number>();
  for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
  return imprints.flatMap((imprint) => {
    const count = counts.get(imprint.slice(-32)) ?? 0;
    return count === 1 ? [] : [`${imprint} is stored ${count} times`];
  });
}

/** The server with a workspace's shard. */
export async function serverOf(url: string, workspaceId: string): Promise<string> {
  const [row] = await ask<{ name: string }>(
    url,
    `select n.nodename || ':' || n.nodeport as name from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
     where p.shardid = get_shard_id_for_distribution_column('visits'::regclass, $1::uuid)`,
    [idToUuid(workspaceId)],
  );
  return row?.name ?? "";
}

/** Runs every background job once; returns failures with their reasons. */
export async function runJobs(db: Database): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of JOBS) {
    try {
      const { signal } = new AbortController();
      await run({ db, now: new Date(), signal, progress: "", saveProgress: () => Promise.resolve() });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      failures.push(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  return failures;
}

/** What the release answered, for comparison with today's answers. */
export function readRelease(version: string) {
  const { workspaces } = readExpected(version);
  return {
    /** Reports that differ from the release, byte by byte. */
    async listUnread(address: string): Promise<string[]> {
      const changed: string[] = [];
      for (const { keys, reports } of workspaces)
        for (const { imprint, sha256 } of reports.slice(0, 5)) {
          const answer = await fetch(`${address}/api/v1/fingerprint/report/${imprint}`, {
            headers: { "X-API-Key": keys.accepted[0] ?? "" },
          });
          const text = await answer.text();
          const digest = createHash("sha256").update(text).digest("hex");
          if (digest !== sha256) changed.push(`the Report of ${imprint} has changed: ${answer.status}`);
        }
      return changed;
    },
  };
}
