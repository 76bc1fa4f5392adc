import type { Db } from "@/db/client";
import { readClusterState } from "@/db/cluster/state";
import { uuidToId } from "@/lib/contract/ids";
import { ADMIN_COMMAND } from "@/lib/platform/program";
import { assessCluster, type Cluster, describeCluster } from "./domain/assess-cluster";
import type { CheckResult } from "./domain/check-result";

async function readCluster(db: Db): Promise<Cluster | undefined> {
  const state = await readClusterState(db);
  return (
    state && {
      ...state,
      largest: state.largest.map((each) => ({ ...each, workspaceId: uuidToId("workspace", each.workspaceId) })),
    }
  );
}

/** Facts about the servers, their shards, the largest workspaces and a cluster's limits; none on a single server. */
export async function checkCluster(db: Db): Promise<CheckResult[]> {
  const cluster = await readCluster(db);
  return cluster ? assessCluster(cluster, ADMIN_COMMAND) : [];
}

/** A line to print at startup; undefined on a single server. */
export async function describeDistribution(db: Db): Promise<string | undefined> {
  const cluster = await readCluster(db);
  return cluster && describeCluster(cluster);
}
