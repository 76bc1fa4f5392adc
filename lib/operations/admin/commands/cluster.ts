import { AppError } from "@/lib/contract/errors";
import { distributeDatabase, isolate, rebalance } from "@/lib/operations/cluster";
import type { Command } from "../command";

const DEFAULT_SHARDS = 32;
const MAX_SHARDS = 1024;

const SHARDS = { min: 1, max: MAX_SHARDS, mustBe: `a whole number from 1 to ${MAX_SHARDS}` };

export const clusterCommands: readonly Command[] = [
  {
    name: "distribute",
    summary: "Distribute the database over the servers of a Citus cluster; tables already distributed are kept",
    options: {
      "dry-run": { description: "Only show what would be distributed" },
      isolate: { value: "WORKSPACE", description: "Move this workspace to its own shard, while the service runs" },
      rebalance: { description: "Rebalance shards across servers, while the service runs" },
      shards: {
        value: "N",
        description: `Shards of the first distribution; default ${DEFAULT_SHARDS}, which leaves some for future servers`,
      },
    },
    interruptionNotice: "What is distributed or moving already stays so. Run the command again for the rest.",
    runOnInstallation(installation, given) {
      const workspace = given.optional("isolate");
      if ([workspace !== undefined, given.has("rebalance"), given.has("dry-run")].filter(Boolean).length > 1)
        throw new AppError("invalid_request", { message: "Give one of --dry-run, --isolate and --rebalance" });
      if (workspace !== undefined) return isolate(installation, workspace);
      if (given.has("rebalance")) return rebalance(installation);
      const shards = given.optionalNumber("shards", SHARDS) ?? DEFAULT_SHARDS;
      return distributeDatabase(installation, { shards, isDryRun: given.has("dry-run") });
    },
  },
];
