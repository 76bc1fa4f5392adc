import { recordAudit } from "@/lib/platform/audit";
import type { Context } from "@/lib/platform/context";
import { lockWorkspace, type Settings, updateWorkspace } from "./queries";

type Change = {
  action: `workspace.${string}`;
  change: Partial<Settings>;
  /** The changed setting as the audit log shows it. */
  shown: (settings: Settings) => string | number | boolean;
};

/** Changes a setting of a workspace and audits it, unless it has that value already. */
export async function changeSettings(context: Context, workspaceId: string, { action, change, shown }: Change) {
  await context.db.transaction(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    if (!before) return;
    const [from, to] = [shown(before), shown({ ...before, ...change })];
    if (from === to) return;
    await updateWorkspace(tx, workspaceId, change);
    await recordAudit(tx, context, { workspaceId, action, target: workspaceId, detail: { from, to } });
  });
}
