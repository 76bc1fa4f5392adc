import type { PageId } from "./pages";

/** Data of the Console's layout. */
export type ShellData = {
  workspace: { workspaceId: string; name: string; plan: string };
  workspaces: readonly { workspaceId: string; name: string; plan: string }[];
  email: string;
  /** Whether the person may create another workspace. */
  canCreateWorkspace: boolean;
  /** Commands that the person may use from the palette. */
  mayIssueKeys: boolean;
  mayInvite: boolean;
  /** Pages that the member's role does not include. */
  hidden: readonly PageId[];
};
