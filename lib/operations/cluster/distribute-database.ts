import { distribute } from "@/db/cluster/distribute";
import { listUnplaced, type Placement } from "@/db/cluster/place-tables";
import { type Installation, megabytes } from "@/lib/operations/backup";
import { withCluster } from "./with-cluster";

type Result = Record<string, unknown>;

const describe = (placements: readonly Placement[]) =>
  placements.map(({ table, kind, bytes }) => ({
    table,
    becomes: kind === "tenant" ? "distributed by workspace" : "a copy on each server",
    bytes,
  }));

/**
 * Distributes every table according to its class, or, with `isDryRun`, reports what would be distributed.
 *
 * @throws AppError `conflict` if the database is not a cluster's coordinator, or a server allows too few locks
 */
export const distributeDatabase = (
  installation: Installation,
  { shards, isDryRun }: { shards: number; isDryRun: boolean },
): Promise<Result> =>
  withCluster(installation, "distribute", async (sql, progress) => {
    const startedAt = performance.now();
    if (isDryRun) return { distributed: false, dry_run: true, tables: describe(await listUnplaced(sql)) };
    let copied = 0;
    const placed = await distribute(sql, {
      shards,
      onPlace({ table, kind, bytes }, _index, all) {
        const total = all.reduce((sum, each) => sum + each.bytes, 0);
        progress.at(copied / Math.max(1, total), table);
        progress.done(`${table}, ${megabytes(bytes)}, ${kind === "tenant" ? "by workspace" : "to each server"}`);
        copied += bytes;
      },
    });
    return {
      distributed: placed.length > 0,
      tables: describe(placed),
      seconds: Number(((performance.now() - startedAt) / 1000).toFixed(1)),
    };
  });
