import type { Context } from "@/lib/platform/context";
import { authorize } from "./authorize";
import { changeSettings } from "./change-settings";
import { requireName } from "./require";

/**
 * Renames a workspace.
 *
 * @throws AppError `not_found`, `forbidden`, `invalid_request`
 */
export async function renameWorkspace(context: Context, input: { workspaceId: string; name: string }) {
  const { workspaceId } = input;
  await authorize(context, workspaceId, "workspace.manage");
  const name = requireName(input.name);
  await changeSettings(context, workspaceId, {
    action: "workspace.rename",
    change: { name },
    shown: (settings) => settings.name,
  });
  return { workspaceId, name };
}
