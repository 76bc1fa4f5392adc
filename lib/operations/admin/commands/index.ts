import type { Command } from "../command";
import { demoDataCommands } from "./demo-data";
import { deviceCommands } from "./devices";
import { accountCommands } from "./accounts";
import { alertCommands } from "./alerts";
import { auditCommands } from "./audit";
import { backupCommands } from "./backups";
import { caseCommands } from "./cases";
import { clusterCommands } from "./cluster";
import { clientCommands } from "./clients";
import { instanceCommands } from "./instance";
import { keyCommands } from "./keys";
import { labelCommands } from "./labels";
import { logCommands } from "./log";
import { managementKeyCommands } from "./management-keys";
import { memberCommands } from "./members";
import { ruleCommands } from "./rules";
import { signInCommands } from "./sign-in";
import { trialCommands } from "./trials";
import { usageCommands } from "./usage";
import { viewCommands } from "./views";
import { webAppCommands } from "./web-apps";
import { webhookCommands } from "./webhooks";
import { workspaceCommands } from "./workspaces";

export const COMMANDS: readonly Command[] = [
  ...workspaceCommands,
  ...memberCommands,
  ...auditCommands,
  ...webAppCommands,
  ...keyCommands,
  ...managementKeyCommands,
  ...deviceCommands,
  ...webhookCommands,
  ...viewCommands,
  ...alertCommands,
  ...labelCommands,
  ...ruleCommands,
  ...caseCommands,
  ...clientCommands,
  ...usageCommands,
  ...trialCommands,
  ...accountCommands,
  ...demoDataCommands,
  ...signInCommands,
  ...backupCommands,
  ...clusterCommands,
  ...logCommands,
  ...instanceCommands,
];
