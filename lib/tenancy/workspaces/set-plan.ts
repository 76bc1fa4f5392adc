import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { changeSettings } from "./change-settings";
import type { COMMERCIAL_PLANS } from "./domain/plans";

/**
 * Sets the plan of a workspace. Takes effect with the next request.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function setPlan(
  context: Context,
  input: { workspaceId: string; plan: (typeof COMMERCIAL_PLANS)[number] },
) {
  const { workspaceId, plan } = input;
  await authorize(context, workspaceId, "workspace.setPlan");
  await changeSettings(context, workspaceId, {
    action: "workspace.set_plan",
    change: { plan },
    shown: (settings) => settings.plan,
  });
  return { workspaceId, plan };
}
