import type { Command } from "../command";
import { instanceCommands } from "./instance";
import { keyCommands } from "./keys";
import { webAppCommands } from "./web-apps";
import { workspaceCommands } from "./workspaces";

export const COMMANDS: readonly Command[] = [
  ...workspaceCommands,
  ...webAppCommands,
  ...keyCommands,
  ...instanceCommands,
];
