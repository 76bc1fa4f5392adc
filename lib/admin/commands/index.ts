import type { Command } from "../command";
import { demoDataCommands } from "./demo-data";
import { deviceCommands } from "./devices";
import { accountCommands } from "./accounts";
import { clientCommands } from "./clients";
import { instanceCommands } from "./instance";
import { keyCommands } from "./keys";
import { trialCommands } from "./trials";
import { usageCommands } from "./usage";
import { webAppCommands } from "./web-apps";
import { workspaceCommands } from "./workspaces";

export const COMMANDS: readonly Command[] = [
  ...workspaceCommands,
  ...webAppCommands,
  ...keyCommands,
  ...deviceCommands,
  ...clientCommands,
  ...usageCommands,
  ...trialCommands,
  ...accountCommands,
  ...demoDataCommands,
  ...instanceCommands,
];
