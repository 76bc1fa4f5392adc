import type { PageId } from "./pages";

/** What the frame of the Console shows around a page. */
export type ShellData = {
  workspace: { workspaceId: string; name: string; plan: string };
  workspaces: readonly { workspaceId: string; name: string; plan: string }[];
  email: string;
  /** Whether the person may make another workspace. */
  canCreateWorkspace: boolean;
  /** Pages that the member's role does not include. */
  hidden: readonly PageId[];
};
