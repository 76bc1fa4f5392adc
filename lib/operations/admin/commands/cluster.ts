import { distributeDatabase } from "@/lib/operations/cluster";
import type { Command } from "../command";

const DEFAULT_SHARDS = 32;

export const clusterCommands: readonly Command[] = [
  {
    name: "distribute",
    summary: "Spread the database over the servers of a Citus cluster, or place what is not placed yet",
    options: {},
    runOnInstallation: (installation) => distributeDatabase(installation, { shards: DEFAULT_SHARDS }),
  },
];
