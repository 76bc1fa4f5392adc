import {
  COMMERCIAL_PLANS,
  createWorkspace,
  listWorkspaces,
  renameWorkspace,
  setPlan,
  setRetention,
  setViewLog,
} from "@/lib/tenancy/workspaces";
import { type Command, workspaceOption } from "../command";

const AS_INSTANCE = "instance";

/** Other text becomes `NaN`, which `setRetention` refuses with the allowed range. */
const retention = (text: string): number | null => (text === AS_INSTANCE ? null : Number(text));

const planOption = { value: "PLAN", description: "Plan", choices: COMMERCIAL_PLANS } as const;
export const workspaceCommands: readonly Command[] = [
  {
    name: "workspace create",
    summary: "Create a workspace",
    options: { name: { value: "NAME", description: "Name of the workspace", isRequired: true }, plan: planOption },
    async run(context, given) {
      const plan = given.optionalChoice("plan", COMMERCIAL_PLANS);
      const workspace = await createWorkspace(context, { name: given.text("name"), plan });
      return { workspace_id: workspace.workspaceId, plan: workspace.plan };
    },
  },
  {
    name: "workspace list",
    summary: "List the workspaces",
    options: {},
    async run(context) {
      const rows = await listWorkspaces(context);
      return {
        workspaces: rows.map((row) => ({
          workspace_id: row.workspaceId,
          name: row.name,
          plan: row.plan,
          created_at: row.createdAt,
        })),
      };
    },
  },
  {
    name: "workspace rename",
    summary: "Rename a workspace",
    options: { workspace: workspaceOption, name: { value: "NAME", description: "New name", isRequired: true } },
    async run(context, given) {
      const renamed = await renameWorkspace(context, {
        workspaceId: given.text("workspace"),
        name: given.text("name"),
      });
      return { workspace_id: renamed.workspaceId, name: renamed.name };
    },
  },
  {
    name: "workspace set-plan",
    summary: "Set the plan of a workspace",
    options: { workspace: workspaceOption, plan: { ...planOption, isRequired: true } },
    async run(context, given) {
      const plan = given.choice("plan", COMMERCIAL_PLANS);
      const changed = await setPlan(context, { workspaceId: given.text("workspace"), plan });
      return { workspace_id: changed.workspaceId, plan: changed.plan };
    },
  },
  {
    name: "workspace set-retention",
    summary: "Set how many days a workspace keeps visits; older ones are deleted within the hour",
    options: {
      workspace: workspaceOption,
      days: { value: "DAYS", description: `Days, or \`${AS_INSTANCE}\` for RETENTION_DAYS`, isRequired: true },
    },
    async run(context, given) {
      const days = retention(given.text("days"));
      const changed = await setRetention(context, { workspaceId: given.text("workspace"), days });
      return { workspace_id: changed.workspaceId, retention_days: changed.retentionDays, kept_days: changed.keptDays };
    },
  },
  {
    name: "workspace set-view-log",
    summary: "Turn logging of Reports opened in the Console on or off",
    options: {
      workspace: workspaceOption,
      to: { value: "STATE", description: "on or off", choices: ["on", "off"], isRequired: true },
    },
    async run(context, given) {
      const isOn = given.text("to") === "on";
      const changed = await setViewLog(context, { workspaceId: given.text("workspace"), isOn });
      return { workspace_id: changed.workspaceId, logs_report_views: changed.logsReportViews };
    },
  },
];
