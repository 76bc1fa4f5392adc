import { AppError } from "@/lib/contract/errors";
import { distributeDatabase, isolate, rebalance } from "@/lib/operations/cluster";
import type { Command, Given } from "../command";

const DEFAULT_SHARDS = 32;
const MAX_SHARDS = 1024;

function shardsOf(given: Given): number {
  const shards = Number(given.optional("shards") ?? DEFAULT_SHARDS);
  if (!Number.isInteger(shards) || shards < 1 || shards > MAX_SHARDS)
    throw new AppError("invalid_request", { message: `--shards is a whole number from 1 to ${MAX_SHARDS}` });
  return shards;
}

export const clusterCommands: readonly Command[] = [
  {
    name: "distribute",
    summary: "Spread the database over the servers of a Citus cluster; what is already placed stays",
    options: {
      "dry-run": { description: "Only say what would be placed where" },
      isolate: { value: "WORKSPACE", description: "Give this workspace a shard of its own, while the service runs" },
      rebalance: { description: "Move shards to where there is room, while the service runs" },
      shards: {
        value: "N",
        description: `Shards of the first distribution; ${DEFAULT_SHARDS} unless given, some for each server to come`,
      },
    },
    runOnInstallation(installation, given) {
      const workspace = given.optional("isolate");
      if ([workspace !== undefined, given.has("rebalance"), given.has("dry-run")].filter(Boolean).length > 1)
        throw new AppError("invalid_request", { message: "Give one of --dry-run, --isolate and --rebalance" });
      if (workspace !== undefined) return isolate(installation, workspace);
      if (given.has("rebalance")) return rebalance(installation);
      return distributeDatabase(installation, { shards: shardsOf(given), isDryRun: given.has("dry-run") });
    },
  },
];
