import { setTimeout as delay } from "node:timers/promises";

import { findShard, isolateWorkspace, readRebalance, startRebalance } from "@/db/cluster/operate";
import { AppError } from "@/lib/contract/errors";
import { idPattern, idToUuid } from "@/lib/contract/ids";
import type { Installation } from "@/lib/operations/backup";
import { withCluster } from "./with-cluster";

type Result = Record<string, unknown>;

const POLL_MS = 1_000;
const ENDED = new Set(["finished", "cancelled", "failed"]);

/**
 * Moves a workspace to its own shard while the service runs.
 *
 * @throws AppError `invalid_request`, `conflict`
 */
export async function isolate(installation: Installation, workspaceId: string): Promise<Result> {
  if (!idPattern("workspace").test(workspaceId))
    throw new AppError("invalid_request", { message: "--isolate takes the id of a workspace, `ws_…`" });
  const workspace = idToUuid(workspaceId);
  return await withCluster(installation, "isolate", async (sql, progress) => {
    progress.at(0, "copying its rows, which takes long for a large workspace");
    progress.done("copying its rows, which takes long for a large workspace");
    const { isNew } = await isolateWorkspace(sql, workspace);
    const { shard, node } = await findShard(sql, workspace);
    return { workspace_id: workspaceId, isolated: isNew, shard: Number(shard), server: node };
  });
}

/**
 * Rebalances shards across servers while the service runs. Interrupting the command does not interrupt the moves.
 *
 * @throws AppError `conflict`
 */
export const rebalance = (installation: Installation): Promise<Result> =>
  withCluster(installation, "rebalance", async (sql, progress) => {
    const running = await readRebalance(sql);
    const isRunning = running !== undefined && !ENDED.has(running.state);
    if (!isRunning && !(await startRebalance(sql))) return { rebalanced: false, moves: 0 };
    for (let told = -1; ;) {
      const now = await readRebalance(sql);
      if (!now) throw new Error("the rebalance that was started is not in Citus's list");
      progress.at(now.done / Math.max(1, now.steps), `${now.done} of ${now.steps} moves`);
      if (now.done > told) progress.done(`${now.done} of ${now.steps} moves`);
      told = now.done;
      if (!ENDED.has(now.state)) {
        await delay(POLL_MS, undefined, { signal: installation.signal });
        continue;
      }
      if (now.state === "finished") return { rebalanced: true, moves: now.steps };
      throw new AppError("conflict", {
        message: `The rebalance ended with state ${now.state} after ${now.done} of ${now.steps} moves. See: select * from citus_rebalance_status()`,
      });
    }
  });
